/** A screen that broke: it alone, with a way to try again. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { queryClient } from '../data/query-client.ts'
import { Problem } from '../kit/state/problem.tsx'

export function ScreenProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    queryClient.resetQueries()
    reset()
    router.invalidate()
  }
  return <Problem error={error} onRetry={retry} />
}
