/**
 * Transactions that ran into another one: the engine rolls one of them back, and here it is run again. What it did is
 * gone by then, so that the second run sees what the other has committed. So are those that met a change of the tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSerialQueue } from '../../../lib/concurrency/serial-queue.ts'
import { StoreUnavailable } from '../../../lib/errors.ts'
import type { TransactionKind } from '../connection.ts'
import { codeOf, DEADLOCK, isOutdated } from './connections/failures.ts'

/** How often such a transaction is run in all: one that others keep meeting for the first time has two seconds. */
const RUNS = 15

const COLLISIONS = {
  changed: '40001',
  waitingForEachOther: DEADLOCK,
  keyTaken: '23505',
}

const PAUSE_MS = 5
const LONGEST_PAUSE_MS = 250

/** Longer each time, and of different length for each, so that they do not meet again. */
const pauseAfter = (run: number): Promise<void> =>
  sleep(Math.random() * Math.min(PAUSE_MS * 2 ** run, LONGEST_PAUSE_MS))

/**
 * Throws what the caller is told, unless the transaction may get through in another run. Where another has stored the same
 * key, the second run finds it; if not, the error is the caller's. But of the many people that one transaction stores,
 * others may store some each time.
 */
function refuse(error: unknown, run: number, kind: TransactionKind): void {
  const code = codeOf(error)
  const isTaken = code === COLLISIONS.keyTaken
  const hasMet = isOutdated(error) || Object.values(COLLISIONS).includes(code)
  const isWorthIt = isTaken ? kind === 'people' || run === 1 : hasMet
  if (!isWorthIt) throw error
  if (run >= RUNS) throw new StoreUnavailable('sql_busy', error)
}

type RunAgain = <T>(work: () => Promise<T>, kind?: TransactionKind) => Promise<T>

/**
 * Runs `work` until it meets no other, so often at most. From the second run on one after the other: of many that have
 * met, all would only meet again (of 25 at once, some needed 13 runs).
 */
export function createRunAgain(): RunAgain {
  /** People apart from the rest: capture must not wait for a long removal. */
  const [peopleInTurn, othersInTurn] = [createSerialQueue(), createSerialQueue()]
  return async (work, kind = 'durable') => {
    const inTurn = kind === 'people' ? peopleInTurn : othersInTurn
    for (let run = 1; ; run++) {
      try {
        return await (run === 1 ? work() : inTurn(work))
      } catch (error) {
        refuse(error, run, kind)
        await pauseAfter(run)
      }
    }
  }
}
