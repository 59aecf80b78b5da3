/**
 * Batches the reads of one event-loop turn and runs them at its end in one read transaction: the file is locked once
 * and caches stay warm. With many concurrent requests a look-up costs little more than half; a single one only waits
 * for the end of its turn.
 */
import type Database from 'better-sqlite3'

export type Read = (text: string, values: unknown[]) => unknown[]

interface PendingRead {
  text: string
  values: unknown[]
  resolve: (rows: unknown[]) => void
  reject: (error: unknown) => void
}

function answer(read: Read, { text, values, resolve, reject }: PendingRead): void {
  try {
    resolve(read(text, values))
  } catch (error) {
    reject(error)
  }
}

/** `read`, deferred to the end of the turn. A read that fails does not affect the others. */
export function batchReads(
  database: Database.Database,
  read: Read,
): (text: string, values: unknown[]) => Promise<unknown[]> {
  let asked: PendingRead[] = []
  const answerAll = database.transaction((group: PendingRead[]) => {
    for (const one of group) answer(read, one)
  })
  const endTurn = () => {
    const group = asked
    asked = []
    try {
      answerAll(group)
    } catch (error) {
      for (const one of group) one.reject(error)
    }
  }
  return (text, values) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(endTurn)
      asked.push({ text, values, resolve, reject })
    })
}
