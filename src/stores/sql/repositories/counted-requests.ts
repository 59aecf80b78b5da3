/** What processes have counted against rate limits: a row for each time that one has told of it. */
import type { CountedRequestReader, CountedRequestWriter } from '../../../model/counted-requests.ts'
import { arg, type Connection, prepared } from '../connection.ts'

const findAfter = prepared((db) =>
  db
    .selectFrom('counted_requests')
    .selectAll()
    .where('id', '>', arg<number>(0))
    .where('at', '>=', arg<number>(1))
    .orderBy('id'),
)

export function countedRequestReader(connection: Connection): CountedRequestReader {
  return {
    async after(id, from) {
      const rows = await findAfter.run(connection, id, from)
      return rows.map(({ counts, ...row }) => ({ ...row, counts: JSON.parse(counts) }))
    },
  }
}

export function countedRequestWriter(connection: Connection): CountedRequestWriter {
  const { db } = connection
  return {
    ...countedRequestReader(connection),
    async add({ process, at, counts }) {
      await db
        .insertInto('counted_requests')
        .values({ process, at, counts: JSON.stringify(counts) })
        .execute()
    },
    async removeBefore(instant, limit) {
      const old = db.selectFrom('counted_requests').select('id').where('at', '<', instant).orderBy('id').limit(limit)
      const { numDeletedRows } = await db.deleteFrom('counted_requests').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
