/** The state of the server's clock: one row. */
import type { ClockStateReader, ClockStateWriter } from '../../../model/clock-state.ts'
import type { Connection } from '../connection.ts'

/** The row's name; there is no other. */
const SERVER = 'server'

export function clockStateReader({ db }: Connection): ClockStateReader {
  return {
    async find() {
      const row = await db.selectFrom('clock_state').selectAll().where('name', '=', SERVER).executeTakeFirst()
      return row ? { seenAt: row.seen_at, trustedAt: row.trusted_at, holdLeft: row.hold_left } : null
    },
  }
}

export function clockStateWriter(connection: Connection): ClockStateWriter {
  const reader = clockStateReader(connection)
  return {
    ...reader,
    async save({ seenAt, trustedAt, holdLeft }) {
      const before = await reader.find()
      const row = { seen_at: seenAt, trusted_at: Math.max(trustedAt, before?.trustedAt ?? 0), hold_left: holdLeft }
      await connection.db
        .insertInto('clock_state')
        .values({ name: SERVER, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    },
  }
}
