/** The cache of what the server answered. */
import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './requests/api-problem.ts'

const STALE_MS = 15_000
const MOST_RETRIES = 2

/** A refusal stays one; what did not arrive may. */
const mayHelp = (count: number, error: unknown): boolean =>
  count < MOST_RETRIES && (!(error instanceof ApiProblem) || error.status === null || error.status >= 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a server on this machine still answers.
    queries: { staleTime: STALE_MS, retry: mayHelp, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})
