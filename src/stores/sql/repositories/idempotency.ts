/** Remembered answers in SQL. */
import { sql } from 'kysely'
import type { IdempotencyClaim, IdempotencyKey, IdempotencyWriter } from '../../../model/idempotency.ts'
import type { Connection } from '../connection.ts'

/** A claim whose holder died may be taken over after this long. */
const LEASE_MS = 60_000
/** Answers are remembered this long, whether or not they were swept away in the meantime. */
const KEPT_MS = 24 * 60 * 60_000

export function idempotencyWriter({ db }: Connection): IdempotencyWriter {
  const row = ({ keyId, projectId, token }: IdempotencyKey) =>
    ({ key_id: keyId, project_id: projectId, token }) as const
  const held = (claim: IdempotencyClaim) => ({ ...row(claim), claimed_at: claim.claimedAt })
  return {
    async begin(key, bodyHash, now) {
      const found = await db
        .selectFrom('idempotency')
        .selectAll()
        .where((eb) => eb.and(row(key)))
        .executeTakeFirst()
      const age = now - (found?.claimed_at ?? now)
      // A claim that lies ahead was made by a clock that has gone back since.
      const lapsed = age >= KEPT_MS || (found?.status === null && Math.abs(age) > LEASE_MS)
      if (found && !lapsed) {
        if (found.body_hash !== bodyHash) return { state: 'reused' }
        if (found.status === null) return { state: 'running' }
        return { state: 'done', status: found.status, body: found.body ?? '' }
      }
      await db
        .insertInto('idempotency')
        .values({ ...row(key), body_hash: bodyHash, claimed_at: now })
        .onConflict((conflict) =>
          conflict
            .columns(['key_id', 'project_id', 'token'])
            .doUpdateSet({ body_hash: bodyHash, claimed_at: now, status: null, body: null }),
        )
        .execute()
      return { state: 'started', claimedAt: now }
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
