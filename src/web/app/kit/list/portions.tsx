/** A list that is read in portions, the next one before the end of what is there comes into sight. */
import type { ReactNode } from 'react'
import { Problem } from '../state/problem.tsx'
import { Skeleton } from '../state/skeleton.tsx'
import styles from './portions.module.css'

interface Asked {
  data: unknown
  error: unknown
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

interface PortionsProps {
  asked: Asked
  isEmpty: boolean
  /** When there is nothing. */
  none: ReactNode
  /** `onRange`: the last row that is drawn, and how many there are. */
  children: (onRange: (last: number, count: number) => void) => ReactNode
}

/** Rows ahead. */
const AHEAD = 40

export function Portions({ asked, isEmpty, none, children }: PortionsProps) {
  const { data, error, hasNextPage, isFetching, isFetchNextPageError } = asked
  const onRange = (last: number, count: number) => {
    if (hasNextPage && !isFetching && !isFetchNextPageError && last + AHEAD >= count) void asked.fetchNextPage()
  }
  const problem = error != null && (
    <div className={styles.inside}>
      <Problem error={error} onRetry={() => void (data === undefined ? asked.refetch() : asked.fetchNextPage())} />
    </div>
  )
  if (data === undefined)
    return (
      problem || (
        <div className={styles.inside}>
          <Skeleton lines={6} />
        </div>
      )
    )
  return (
    <>
      {isEmpty ? none : children(onRange)}
      {problem}
    </>
  )
}
