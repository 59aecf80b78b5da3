/**
 * Reads that are asked for in one turn of the event loop are done together at its end: in one read transaction, so
 * that the file is locked once, and one after the other, so that each finds warm what the one before has used. With
 * many requests at once a look-up costs little more than half; one alone waits for nothing but its turn's end.
 */
import type Database from 'better-sqlite3'

export type Read = (text: string, values: unknown[]) => unknown[]

interface Asked {
  text: string
  values: unknown[]
  resolve: (rows: unknown[]) => void
  reject: (error: unknown) => void
}

function answer(read: Read, { text, values, resolve, reject }: Asked): void {
  try {
    resolve(read(text, values))
  } catch (error) {
    reject(error)
  }
}

/** `read`, put off to the end of the turn. What fails fails alone. */
export function batchReads(
  database: Database.Database,
  read: Read,
): (text: string, values: unknown[]) => Promise<unknown[]> {
  let asked: Asked[] = []
  const answerAll = database.transaction((group: Asked[]) => {
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
