/** The row of screens.ts that is shown, and what its address did not say clearly. */
import { useMatches, useSearch } from '@tanstack/react-router'
import type { Params } from '../data/search.ts'
import type { Screen } from '../screens.ts'

export function useScreen(): Screen | undefined {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.screen })
}

/** Names of parameters in the address that the screen does not understand. */
export function useUnread(): string[] {
  const screen = useScreen()
  const params = useSearch({ strict: false }) as Params
  return screen?.search.read(params).unread ?? []
}
