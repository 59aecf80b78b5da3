/** For transactions that are to overlap, in the contract suites. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedSql } from './open-sql.ts'

/** How long one waits for the other: an engine with one writer never has both in a transaction. */
const WAITING_MS = { one: 50, many: 30_000 }

/** Where two wait for each other when they first come there, and whether both came. */
export function meeting(writers: OpenedSql['writers']): { meet: () => Promise<void>; haveMet: () => boolean } {
  let came = 0
  let isLate = false
  const second = new AbortController()
  const meet = async () => {
    came += 1
    if (came === 2 && !isLate) second.abort()
    const waited = sleep(WAITING_MS[writers], true, { signal: second.signal }).catch(() => false)
    if (await waited) isLate = true
  }
  return { meet, haveMet: () => second.signal.aborted }
}
