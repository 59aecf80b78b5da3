/** Remembered answers in SQL. */
import { sql } from 'kysely'
import type { IdempotencyClaim, IdempotencyKey, IdempotencyWriter } from '../../../model/idempotency.ts'
import type { Connection } from '../connection.ts'

export function idempotencyWriter({ db }: Connection): IdempotencyWriter {
  const row = ({ keyId, projectId, token }: IdempotencyKey) =>
    ({ key_id: keyId, project_id: projectId, token }) as const
  const held = (claim: IdempotencyClaim) => ({ ...row(claim), claimed_at: claim.claimedAt })
  return {
    async find(key) {
      const found = await db
        .selectFrom('idempotency')
        .selectAll()
        .where((eb) => eb.and(row(key)))
        .executeTakeFirst()
      if (!found) return null
      return { bodyHash: found.body_hash, claimedAt: found.claimed_at, status: found.status, body: found.body }
    },
    async claim(claim, bodyHash) {
      const claimed = { body_hash: bodyHash, claimed_at: claim.claimedAt }
      await db
        .insertInto('idempotency')
        .values({ ...row(claim), ...claimed })
        .onConflict((conflict) =>
          conflict.columns(['key_id', 'project_id', 'token']).doUpdateSet({ ...claimed, status: null, body: null }),
        )
        .execute()
    },
    async finish(claim, status, body) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency')
        .set({ status, body })
        .where((eb) => eb.and(held(claim)))
        .where('status', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async abandon(claim) {
      await db
        .deleteFrom('idempotency')
        .where((eb) => eb.and(held(claim)))
        .where('status', 'is', null)
        .execute()
    },
    async removeBefore(instant, limit) {
      const { numAffectedRows } = await sql`delete from idempotency where (key_id, project_id, token) in (
        select key_id, project_id, token from idempotency where claimed_at < ${instant} limit ${limit})`.execute(db)
      return Number(numAffectedRows)
    },
  }
}
