/** Rows of the outbox that are claimed before they are applied, and kept for a while after that. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { uuidV7 } from '../../../../lib/ids.ts'
import type { ClaimedRow, ClaimRequest, HeldRows, OutboxClaims } from '../../../../model/events/outbox.ts'
import type { Connection } from '../../connection.ts'
import type { Tables } from '../../tables.ts'
import { noteHandedOn } from '../installation.ts'

interface Waiting {
  id: string
  shipment: string | null
  attempts: number
  bytes: number
}

const unleased = (eb: ExpressionBuilder<Tables, 'outbox'>, now: number): Expression<SqlBool> =>
  eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)])

/** The first of them, as many as there is room for. */
function fitting(rows: Waiting[], most: number): Waiting[] {
  let bytes = 0
  return rows.filter((row, place) => {
    bytes += row.bytes
    return place === 0 || bytes <= most
  })
}

/** The oldest that nobody holds, with those that it was claimed with before. */
async function together({ db, dialect }: Connection, { now, rows, bytes }: ClaimRequest): Promise<Waiting[]> {
  const waiting = db
    .selectFrom('outbox')
    .select(['id', 'shipment', 'attempts', sql<number>`length(payload)`.as('bytes')])
    .where('applied_at', 'is', null)
    .where((eb) => unleased(eb, now))
    .orderBy('id')
    .$if(dialect.locksRows, (query) => query.forUpdate().skipLocked())
  const oldest = await waiting.limit(rows).execute()
  const [first] = oldest
  if (!first) return []
  if (first.shipment !== null) return waiting.where('shipment', '=', first.shipment).execute()
  const free = oldest.filter(({ shipment }) => shipment === null)
  return fitting(free, bytes)
}

async function claim(connection: Connection, request: ClaimRequest): Promise<ClaimedRow[]> {
  const taken = await together(connection, request)
  const [first] = taken
  if (!first) return []
  const shipment = first.shipment ?? uuidV7(request.now)
  const ids = taken.map(({ id }) => id)
  const attempt = Math.max(...taken.map(({ attempts }) => attempts)) + 1
  const rows = await connection.db
    .updateTable('outbox')
    .set({ shipment, attempts: attempt, leased_until: request.until })
    .where('id', 'in', ids)
    .returning(['id', 'seq', 'in_parts', 'sent_at'])
    .execute()
  return rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, seq, in_parts, sent_at }) => {
      const row = { id, seq, claim: { shipment, attempt, sentAt: sent_at } }
      return in_parts === 1 ? { ...row, inParts: true } : row
    })
}

export function outboxClaims(connection: Connection): OutboxClaims {
  const { db, dialect, recentBatches } = connection
  const changeHeld = ({ ids, attempt }: HeldRows, change: { leased_until: number; sent_at?: number }) =>
    db
      .updateTable('outbox')
      .set(change)
      .where('id', 'in', ids)
      .where('attempts', '=', attempt)
      .where('applied_at', 'is', null)
      .executeTakeFirst()
  return {
    claim: (request) => claim(connection, request),
    async hold(rows, { now, until }) {
      if (rows.ids.length === 0) return true
      const { numUpdatedRows } = await changeHeld(rows, { leased_until: until, sent_at: now })
      return Number(numUpdatedRows) === rows.ids.length
    },
    async giveBack(rows, from) {
      if (rows.ids.length > 0) await changeHeld(rows, { leased_until: from })
    },
    async markApplied(ids, now) {
      for (const id of ids) recentBatches.take(id)
      if (ids.length === 0) return
      await db
        .updateTable('outbox')
        .set({ applied_at: now, leased_until: null, waits_again: 0 })
        .where('id', 'in', ids)
        .execute()
    },
    async applyAgain(keepShipments) {
      const found = await db
        .updateTable('outbox')
        .set({ applied_at: null, waits_again: 1, ...(keepShipments ? {} : { shipment: null }) })
        .where('applied_at', 'is not', null)
        .executeTakeFirst()
      return Number(found.numUpdatedRows)
    },
    async removeApplied(appliedBefore, limit) {
      const rows = await db
        .selectFrom('outbox')
        .select('id')
        .where('applied_at', '<', appliedBefore)
        .orderBy('applied_at')
        .orderBy('id')
        .limit(limit)
        // Those that are coming to wait again are waited for: whoever erases looks for them afterwards.
        .$if(dialect.locksRows, (query) => query.forUpdate())
        .execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await noteHandedOn(connection, ids)
      await db.deleteFrom('outbox').where('id', 'in', ids).execute()
      return ids.length
    },
  }
}
