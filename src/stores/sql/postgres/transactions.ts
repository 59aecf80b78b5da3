/** A transaction on a connection of its own. */
import { isStoreAway } from '../../../lib/errors.ts'
import type { TransactionKind } from '../connection.ts'
import type { Queries } from './connections/clients.ts'
import { type Borrowed, WITHOUT_LIMITS } from './connections/pool.ts'
import { closeFences, enterFences, openFences } from './locks.ts'

const SERIALIZABLE = 'begin isolation level serializable'
const READ_COMMITTED = 'begin isolation level read committed'

const BEGIN: Record<TransactionKind, (projectIds: number[]) => string> = {
  durable: () => SERIALIZABLE,
  relaxed: () => `${SERIALIZABLE}; set local synchronous_commit = off`,
  migration: () => `${READ_COMMITTED}; ${WITHOUT_LIMITS}`,
  people: (projectIds) => `${READ_COMMITTED}; ${enterFences(projectIds)}`,
  queue: () => READ_COMMITTED,
  exclusive: () => SERIALIZABLE,
}

export interface Asked {
  kind: TransactionKind
  projectIds: number[]
}

/** Runs a statement without waiting for it: the commit is sent after it, and fails as it does. */
export type Send = (statement: (queries: Queries) => Promise<unknown>) => void

/** Gives the connection back; one that cannot be brought back to how it was is closed. */
export async function transactOn<T>(
  { queries, giveBack }: Borrowed,
  { kind, projectIds }: Asked,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const isExclusive = kind === 'exclusive'
  const unanswered: Promise<unknown>[] = []
  const send: Send = (statement) => {
    const answer = statement(queries)
    // Whoever fails before the commit is told of that instead.
    answer.catch(() => {})
    unanswered.push(answer)
  }
  let isUsable = true
  const undo = async (statement: string): Promise<void> => {
    if (!isUsable) return
    await queries.query(statement).catch(() => {
      isUsable = false
    })
  }
  try {
    if (isExclusive) await queries.query(closeFences(projectIds))
    const begun = queries.begin(BEGIN[kind](projectIds))
    // What it begins with is sent along. Of a failed begin its statements tell, or the commit.
    if (kind === 'people') begun.catch(() => {})
    else await begun
    const result = await work(send)
    const [{ command }] = await Promise.all([queries.query('commit'), begun, ...unanswered])
    // After a statement that failed, whoever caught its error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction has failed; nothing of it is stored.')
    return result
  } catch (error) {
    isUsable = !isStoreAway(error)
    await undo('rollback')
    throw error
  } finally {
    if (isExclusive) await undo(openFences(projectIds))
    giveBack(isUsable)
  }
}
