/** Combines the repositories of this folder: readers on one connection, writers inside a transaction. */
import { sql } from 'kysely'
import type { SqlReaders, SqlStores, SqlWriters } from '../../model/stores.ts'
import type { Connection, SqlEngine, TransactionKind } from './connection.ts'
import { activityReader, activityWriter } from './repositories/activity.ts'
import { clockStateReader, clockStateWriter } from './repositories/clock-state.ts'
import { countedRequestReader, countedRequestWriter } from './repositories/counted-requests.ts'
import { dashboardReader, dashboardWriter } from './repositories/dashboards.ts'
import { deletionRunReader, deletionRunWriter } from './repositories/deletion-runs.ts'
import { deletionReader, deletionWriter } from './repositories/deletions.ts'
import { deliveryReader, deliveryWriter } from './repositories/deliveries.ts'
import { idempotencyWriter } from './repositories/idempotency.ts'
import { insightCacheReader, insightCacheWriter } from './repositories/insight-cache.ts'
import { insightReader, insightWriter } from './repositories/insights.ts'
import { installationReader, installationWriter, secretWriter } from './repositories/installation.ts'
import { intakeReader, intakeWriter } from './repositories/intake.ts'
import { jobReader, jobWriter } from './repositories/jobs.ts'
import { keyReader, keyWriter } from './repositories/keys.ts'
import { outboxReader, outboxWriter } from './repositories/outbox/outbox.ts'
import { passwordTryWriter } from './repositories/password-tries.ts'
import { saveCounts } from './repositories/persons/person-count.ts'
import { listedPersons, personReader, personWriter } from './repositories/persons/persons.ts'
import { undoWriter } from './repositories/persons/undo.ts'
import { projectReader, projectWriter } from './repositories/projects/projects.ts'
import { recordingReader, recordingWriter } from './repositories/recordings/recordings.ts'
import { sharingReader, sharingWriter } from './repositories/sharing.ts'
import { accountLinkReader, accountLinkWriter, signInReader, signInWriter } from './repositories/sign-ins.ts'
import { subscriptionReader, subscriptionWriter } from './repositories/subscriptions.ts'
import { userReader, userWriter } from './repositories/users.ts'
import type { ScanReaders } from './scan-readers.ts'

const readers = (connection: Connection): SqlReaders => ({
  projects: projectReader(connection),
  users: userReader(connection),
  keys: keyReader(connection),
  signIns: signInReader(connection),
  accountLinks: accountLinkReader(connection),
  persons: personReader(connection),
  recordings: recordingReader(connection),
  sharing: sharingReader(connection),
  activity: activityReader(connection),
  deletions: deletionReader(connection),
  deletionRuns: deletionRunReader(connection),
  deliveries: deliveryReader(connection),
  outbox: outboxReader(connection),
  intake: intakeReader(connection),
  insights: insightReader(connection),
  insightCache: insightCacheReader(connection),
  dashboards: dashboardReader(connection),
  subscriptions: subscriptionReader(connection),
  jobs: jobReader(connection),
  clockState: clockStateReader(connection),
  installation: installationReader(connection),
  countedRequests: countedRequestReader(connection),
})

/** Methods that scan many rows run elsewhere. */
function withScans(own: SqlReaders, scans: ScanReaders): SqlReaders {
  return {
    ...own,
    persons: { ...own.persons, ...listedPersons(scans.persons) },
    recordings: { ...own.recordings, ...scans.recordings },
    activity: { ...own.activity, ...scans.activity },
    deletions: { ...own.deletions, ...scans.deletions },
    deliveries: { ...own.deliveries, ...scans.deliveries },
    intake: { ...own.intake, ...scans.intake },
    insights: { ...own.insights, ...scans.insights },
    dashboards: { ...own.dashboards, ...scans.dashboards },
    subscriptions: { ...own.subscriptions, ...scans.subscriptions },
  }
}

const WRITERS: { [K in keyof SqlWriters]: (connection: Connection) => SqlWriters[K] } = {
  projects: projectWriter,
  users: userWriter,
  keys: keyWriter,
  signIns: signInWriter,
  accountLinks: accountLinkWriter,
  passwordTries: passwordTryWriter,
  persons: personWriter,
  undo: undoWriter,
  recordings: recordingWriter,
  sharing: sharingWriter,
  activity: activityWriter,
  deletions: deletionWriter,
  deletionRuns: deletionRunWriter,
  deliveries: deliveryWriter,
  outbox: outboxWriter,
  intake: intakeWriter,
  idempotency: idempotencyWriter,
  secrets: secretWriter,
  insights: insightWriter,
  insightCache: insightCacheWriter,
  dashboards: dashboardWriter,
  subscriptions: subscriptionWriter,
  jobs: jobWriter,
  clockState: clockStateWriter,
  installation: installationWriter,
  countedRequests: countedRequestWriter,
}

/**
 * The writers of one transaction. Each is created when first used, as no transaction needs them all; do not spread this
 * object.
 */
class Writers {
  readonly connection: Connection
  constructor(connection: Connection) {
    this.connection = connection
  }
}

for (const [name, make] of Object.entries(WRITERS)) {
  Object.defineProperty(Writers.prototype, name, {
    get(this: Writers) {
      const value = make(this.connection)
      Object.defineProperty(this, name, { value })
      return value
    },
  })
}

const writersOn = (connection: Connection): SqlWriters => new Writers(connection) as unknown as SqlWriters

/**
 * One transaction, at whose end the number of persons is brought up to date. What it notes in memory counts after its
 * commit only.
 */
async function counted<T>(
  { engine: { transact, outboxSignal }, added }: Pick<SqlParts, 'engine' | 'added'>,
  work: (tx: SqlWriters) => Promise<T>,
  kind: TransactionKind = 'durable',
  projectIds: number[] = [],
): Promise<T> {
  const { result, noted, recentBatches } = await transact(
    async (connection) => {
      const addedWarnings = connection.addedWarnings.begin()
      const noted = { addedPersons: new Map(), addedBatches: new Map(), addedWarnings }
      const own: Connection = { ...connection, ...noted }
      const result = await work(writersOn(own))
      await saveCounts(own)
      return { result, noted, recentBatches: connection.recentBatches }
    },
    kind,
    projectIds,
  )
  noted.addedWarnings.merge()
  for (const [id, text] of noted.addedBatches) recentBatches.keep(id, text)
  if (noted.addedBatches.size > 0) {
    outboxSignal?.tell()
    added?.(noted.addedBatches)
  }
  return result
}

export interface SqlParts {
  engine: SqlEngine
  scans: ScanReaders
  /** Called after each committed transaction, with the number of characters known to wait in the outbox. */
  committed: (waiting: number) => void
  /** Called after each that has added batches to the outbox, with their texts by id. */
  added?: ((batches: Map<string, string>) => void) | undefined
}

export function sqlStores(parts: SqlParts): SqlStores {
  const { engine, scans, committed } = parts
  const { reader } = engine
  const transact = async <T>(...asked: Parameters<typeof counted<T>>): Promise<T> => {
    const result = await counted(...asked)
    committed(reader.recentBatches.size)
    return result
  }
  return {
    ...withScans(readers(reader), scans),
    transaction: (work) => transact(parts, work),
    peopleTransaction: (projectIds, work) => transact(parts, work, 'people', projectIds),
    exclusiveTransaction: (projectIds, work) => transact(parts, work, 'exclusive', projectIds),
    queueTransaction: (work) => transact(parts, work, 'queue'),
    relaxed: (work) => counted(parts, work, 'relaxed'),
    inTurn: engine.inTurn,
    truncateLog: () => engine.truncateLog(),
    bytesElsewhere: () => engine.bytesElsewhere(),
    transactionsAtOnce: engine.transactionsAtOnce,
    async ping() {
      await sql`select 1`.execute(reader.db)
    },
  }
}
