/**
 * Before the tests: their processes get a priority little above that of the event store's own threads, which give way to
 * all others. On a busy machine these would otherwise hardly run, and whoever waits for them would compute in vain.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { hasThreadPriorities } from '../../../src/lib/concurrency/thread-priority.ts'

export function setup(): void {
  if (hasThreadPriorities) setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
}
