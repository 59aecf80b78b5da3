/**
 * Which installation an event store belongs to and how far it has come. The highest `seq` applied is that of the
 * batches, which are recorded in the transaction of their rows; of batches that are forgotten the highest is kept.
 */
import type { StoreStamp } from '../../model/installation.ts'
import type { Database } from './database.ts'
import type { Parts } from './progress.ts'
import { instant, int, uuidLiteral } from './values/literal.ts'

const HIGHEST_BATCH = 'coalesce((SELECT max(seq) FROM batches), 0)'

interface Readable {
  database: Pick<Database, 'read'>
}

export async function readStamp({ database }: Readable): Promise<StoreStamp | null> {
  const sql = `SELECT id, greatest(reached, ${HIGHEST_BATCH})::DOUBLE FROM installation`
  const [row] = (await database.read((connection) => connection.runAndReadAll(sql))).getRows()
  return row ? { id: String(row[0]), reached: Number(row[1]) } : null
}

export async function writeStamp({ database }: Parts, { id, reached }: StoreStamp): Promise<void> {
  await database.write(async (connection) => {
    await connection.run('DELETE FROM installation')
    await connection.run(`INSERT INTO installation VALUES (${uuidLiteral(id)}, ${int(reached)})`)
  })
}

const WITH_SEQ = ['batches', 'events', 'persons', 'fresh_persons', 'distinct_ids', 'fresh_distinct_ids']

/** SQL of the highest `seq` that any row has. */
export const HIGHEST_SEQ = `SELECT greatest(${WITH_SEQ.map((table) => `coalesce((SELECT max(seq) FROM ${table}), 0)`).join(', ')})`

export async function highestSeq({ database }: Readable): Promise<number> {
  const sql = `SELECT (${HIGHEST_SEQ})::DOUBLE`
  return Number((await database.read((connection) => connection.runAndReadAll(sql))).getRows()[0]?.[0])
}

export async function forgetBatches({ database }: Parts, appliedBefore: number): Promise<void> {
  const sql = `DELETE FROM batches WHERE applied_at < ${instant(appliedBefore)}
    AND (seq IS NULL OR seq < (SELECT max(seq) FROM batches))`
  await database.write((connection) => connection.run(sql))
}
