/** The state of the screen that is shown, from its address; changing it changes the address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Params, Search } from './search.ts'

interface ChangeOptions {
  /** While typing: "back" does not go through every letter. */
  replace?: boolean
}

export function useSearchState<State extends object>({ read, write }: Search<State>) {
  const params = useSearch({ strict: false }) as Params
  const navigate = useNavigate()
  const { state } = read(params)
  const change = useCallback(
    (patch: Partial<State>, { replace = false }: ChangeOptions = {}) =>
      navigate({
        to: '.',
        search: ((now: Params) => write({ ...read(now).state, ...patch })) as never,
        replace,
      }),
    [navigate, read, write],
  )
  return [state, change] as const
}
