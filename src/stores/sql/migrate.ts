/**
 * Migrates the SQL store to the newest schema. Forward only. All missing steps run in one transaction that holds a
 * lock, so a concurrent second process waits and then finds nothing to do, and a kill leaves either the old
 * schema or the new one.
 */
import { type Kysely, sql } from 'kysely'
import { OperatorError } from '../../lib/errors.ts'
import type { SqlEngine } from './connection.ts'
import type { SqlDialect } from './dialect.ts'
import { accounts } from './migrations/0001-accounts.ts'
import { persons } from './migrations/0002-persons.ts'
import { recordings } from './migrations/0003-recordings.ts'
import { reports } from './migrations/0004-reports.ts'
import { intake } from './migrations/0005-intake.ts'
import { replay } from './migrations/0006-replay.ts'
import { jobs } from './migrations/0007-jobs.ts'
import { deliveries } from './migrations/0008-deliveries.ts'
import { insightResults } from './migrations/0009-insight-results.ts'
import { activitySplits } from './migrations/0010-activity-splits.ts'
import { parkedBatches } from './migrations/0011-parked-batches.ts'
import { clockAndInstallation } from './migrations/0012-clock-and-installation.ts'
import { secureDelete } from './migrations/0013-secure-delete.ts'
import { limits } from './migrations/0014-limits.ts'
import { scans } from './migrations/0015-scans.ts'
import { projectSwitches } from './migrations/0016-project-switches.ts'
import { personLists } from './migrations/0017-person-lists.ts'
import { propertyChanges } from './migrations/0018-property-changes.ts'
import { outboxClaims } from './migrations/0019-outbox-claims.ts'
import { processes } from './migrations/0020-processes.ts'
import { levels } from './migrations/0021-levels.ts'
import { signIns } from './migrations/0022-sign-ins.ts'
import { firstEvent } from './migrations/0023-first-event.ts'
import { outboxOrder } from './migrations/0024-outbox-order.ts'
import { fullSnapshots } from './migrations/from-0025/0025-full-snapshots.ts'
import { deletionRuns } from './migrations/from-0025/0026-deletion-runs.ts'
import { undo } from './migrations/from-0025/0027-undo.ts'
import { waitingAgain } from './migrations/from-0025/0028-waiting-again.ts'

type Migration = (db: Kysely<unknown>, dialect: SqlDialect) => Promise<void>

/** In order; a name once released never changes. */
const MIGRATIONS: [name: string, up: Migration][] = [
  ['0001-accounts', accounts],
  ['0002-persons', persons],
  ['0003-recordings', recordings],
  ['0004-reports', reports],
  ['0005-intake', intake],
  ['0006-replay', replay],
  ['0007-jobs', jobs],
  ['0008-deliveries', deliveries],
  ['0009-insight-results', insightResults],
  ['0010-activity-splits', activitySplits],
  ['0011-parked-batches', parkedBatches],
  ['0012-clock-and-installation', clockAndInstallation],
  ['0013-secure-delete', secureDelete],
  ['0014-limits', limits],
  ['0015-scans', scans],
  ['0016-project-switches', projectSwitches],
  ['0017-person-lists', personLists],
  ['0018-property-changes', propertyChanges],
  ['0019-outbox-claims', outboxClaims],
  ['0020-processes', processes],
  ['0021-levels', levels],
  ['0022-sign-ins', signIns],
  ['0023-first-event', firstEvent],
  ['0024-outbox-order', outboxOrder],
  ['0025-full-snapshots', fullSnapshots],
  ['0026-deletion-runs', deletionRuns],
  ['0027-undo', undo],
  ['0028-waiting-again', waitingAgain],
]

interface MigrationTable {
  schema_migrations: { name: string }
}

/** Returns the names of the steps that were missing and have been applied. */
export async function migrate({ transact }: Pick<SqlEngine, 'transact'>): Promise<string[]> {
  return transact(async ({ db: trx, dialect }) => {
    await dialect.prepare(trx as unknown as Kysely<unknown>)
    const steps = trx as unknown as Kysely<MigrationTable>
    await sql`create table if not exists schema_migrations (name text primary key)`.execute(trx)
    const rows = await steps.selectFrom('schema_migrations').select('name').execute()
    const applied = new Set(rows.map((row) => row.name))
    for (const [name] of MIGRATIONS) applied.delete(name)
    if (applied.size > 0) {
      throw new OperatorError(
        `The data was written by a newer Hedgerow (it knows "${[...applied].join('", "')}"). Start that version, or restore a backup.`,
      )
    }
    const known = new Set(rows.map((row) => row.name))
    const missing = MIGRATIONS.filter(([name]) => !known.has(name))
    for (const [name, up] of missing) {
      await up(trx as unknown as Kysely<unknown>, dialect)
      await steps.insertInto('schema_migrations').values({ name }).execute()
    }
    return missing.map(([name]) => name)
  }, 'migration')
}
