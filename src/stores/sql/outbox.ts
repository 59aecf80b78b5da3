/** The outbox in SQL: each row a batch for the event store, as compressed JSON. */
import { promisify } from 'node:util'
import { deflateRawSync, inflateRaw } from 'node:zlib'
import type { OutboxBatch, OutboxContent, OutboxReader, OutboxWriter } from '../../model/outbox.ts'
import type { Connection } from './connection.ts'

const inflate = promisify(inflateRaw)

/** Inside a transaction nothing may be awaited but SQL, so this side is synchronous; level 1 is 5 times faster than 6. */
const encode = ({ events, persons, distinctIds }: OutboxContent): Buffer =>
  deflateRawSync(JSON.stringify({ events, persons, distinctIds }), { level: 1 })

const decode = async (payload: Uint8Array): Promise<OutboxContent> =>
  JSON.parse((await inflate(payload)).toString('utf8')) as OutboxContent

export function outboxReader({ db }: Connection): OutboxReader {
  return {
    async pending() {
      const rows = await db.selectFrom('outbox').select('id').execute()
      return rows.map((row) => row.id)
    },
    async backlog() {
      const row = await db
        .selectFrom('outbox')
        .select((eb) => [eb.fn.countAll<number>().as('length'), eb.fn.min<number | null>('created_at').as('oldestAt')])
        .executeTakeFirstOrThrow()
      return { length: row.length, oldestAt: row.oldestAt }
    },
    async peek(limit) {
      const rows = await db.selectFrom('outbox').selectAll().orderBy('id').limit(limit).execute()
      return Promise.all(
        rows.map(async (row): Promise<OutboxBatch> => ({ id: row.id, seq: row.seq, ...(await decode(row.payload)) })),
      )
    },
  }
}

export function outboxWriter(connection: Connection): OutboxWriter {
  const { db, dialect } = connection
  return {
    ...outboxReader(connection),
    nextSeq: () => dialect.nextSeq(db),
    async add(batch, now) {
      await db
        .insertInto('outbox')
        .values({ id: batch.id, seq: batch.seq, payload: encode(batch), created_at: now })
        .execute()
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute()
    },
  }
}
