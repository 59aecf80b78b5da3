/** The outbox in SQL: each row a batch for the event store, as compressed text. */
import { sql } from 'kysely'
import type { OutboxBatch, OutboxReader, OutboxWriter } from '../../../../model/events/outbox.ts'
import { writeContent } from '../../../outbox/batch-text.ts'
import { arg, type Connection, prepared } from '../../connection.ts'
import { noteHandedOn } from '../installation.ts'
import { compress, decompress } from './batch-compression.ts'
import { outboxClaims } from './claims.ts'
import { parkedReader, parkedWriter } from './parked-batches.ts'

const takeSeq = prepared((db, dialect) => dialect.seq.next(db))
/** Only on engines whose writers overlap. */
const settledSeq = prepared((db, dialect) => {
  if (!dialect.seq.settled) throw new Error('Writers do not overlap here.')
  return dialect.seq.settled(db)
})
const lastSeq = prepared((db, dialect) => dialect.seq.last(db))
const insertBatch = prepared((db) =>
  db
    .insertInto('outbox')
    .values({ id: arg<string>(0), seq: arg<number>(1), payload: arg<Uint8Array>(2), created_at: arg<number>(3) })
    .returning('id'),
)

/** The last number, unless one that was taken before may still be committed: looked for in this order. */
async function settled(connection: Connection): Promise<number> {
  const [last] = await lastSeq.run(connection)
  if (connection.dialect.seq.settled === null) return last?.value ?? 0
  const [begun] = await settledSeq.run(connection)
  return Math.min(last?.value ?? 0, begun?.value ?? Number.POSITIVE_INFINITY)
}

export function outboxReader(connection: Connection): OutboxReader {
  const { db, recentBatches } = connection
  async function readTexts(ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('outbox').select(['id', 'payload']).where('id', 'in', ids).execute()
    const texts = rows.map(async ({ id, payload }): Promise<[string, string]> => [id, await decompress(payload)])
    return new Map(await Promise.all(texts))
  }

  async function withTexts(rows: Omit<OutboxBatch, 'text'>[]): Promise<OutboxBatch[]> {
    const known = new Map(rows.map(({ id }) => [id, recentBatches.take(id)]))
    const read = await readTexts([...known.keys()].filter((id) => known.get(id) === null))
    return rows.flatMap((row) => {
      const text = known.get(row.id) ?? read.get(row.id)
      // Gone between the two look-ups: applied by then.
      return text === undefined ? [] : [{ ...row, text }]
    })
  }

  return {
    ...parkedReader(connection),
    async pending() {
      const rows = await db.selectFrom('outbox').select('id').where('applied_at', 'is', null).execute()
      return rows.map((row) => row.id)
    },
    async backlog() {
      const row = await db
        .selectFrom('outbox')
        .select((eb) => [
          eb.fn.countAll<number>().as('length'),
          eb.fn.countAll<number>().filterWhere('waits_again', '=', 1).as('again'),
          eb.fn.min<number | null>('created_at').as('oldestAt'),
          eb.fn.min<number | null>('seq').as('lowestSeq'),
        ])
        .where('applied_at', 'is', null)
        .executeTakeFirstOrThrow()
      return row
    },
    async peek(limit, after = '') {
      const heads = db.selectFrom('outbox').select(['id', 'seq', 'in_parts']).where('applied_at', 'is', null)
      const rows = await heads.where('id', '>', after).orderBy('id').limit(limit).execute()
      return withTexts(rows.map(({ id, seq, in_parts }) => (in_parts === 1 ? { id, seq, inParts: true } : { id, seq })))
    },
    read: withTexts,
    async addedSince(seq, limit) {
      // Before the rows: then all up to it are among them.
      const known = await settled(connection)
      const heads = db.selectFrom('outbox').select(['id', 'seq', sql<number>`length(payload)`.as('bytes')])
      const rows = await heads.where('seq', '>', seq).orderBy('seq', 'desc').limit(limit).execute()
      return { rows: rows.reverse(), settled: known }
    },
    textsOf: readTexts,
  }
}

export function outboxWriter(connection: Connection): OutboxWriter {
  const { db, dialect, addedBatches, recentBatches } = connection
  return {
    ...outboxReader(connection),
    ...parkedWriter(connection),
    ...outboxClaims(connection),
    async nextSeq() {
      const [row] = await takeSeq.run(connection)
      if (!row) throw new Error('There is no sequence to number changes with.')
      return row.value
    },
    async seenSeq() {
      if (dialect.seq.settled === null) return null
      const [row] = await settledSeq.run(connection)
      return row?.value ?? 0
    },
    async add({ id, seq, ...content }, now) {
      const text = writeContent(content)
      addedBatches.set(id, text)
      // Nothing of the transaction comes after it: on its way it needs no trip of its own.
      insertBatch.send(connection, id, seq, compress(text), now)
    },
    async remove(ids) {
      // Including those that were read from the file before their commit was known here.
      for (const id of ids) recentBatches.take(id)
      if (ids.length === 0) return
      await noteHandedOn(connection, ids)
      await db.deleteFrom('outbox').where('id', 'in', ids).execute()
    },
  }
}
