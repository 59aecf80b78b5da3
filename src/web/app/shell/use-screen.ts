/** The row of screens.ts that is shown, and what its address did not say clearly. */
import { useMatches, useSearch } from '@tanstack/react-router'
import type { BootProject } from '../data/boot.ts'
import type { Params } from '../data/search.ts'
import { projectPath } from '../data/session.ts'
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

const OF_PROJECT = '/project/$project'

/** The path of the screen that is shown in another project; of the first one, where this is about a single thing. */
export function usePathIn(): (other: BootProject) => string {
  const rest = useScreen()?.path.split(OF_PROJECT)[1]
  return (other) => projectPath(other, rest === undefined || rest.includes('$') ? '/start' : rest)
}
