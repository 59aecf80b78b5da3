/**
 * The storage interface. Outside a transaction there are only readers; writers exist only
 * inside `transaction`, so that a write without one does not compile.
 */
import type { ActivityReader, ActivityWriter } from './accounts/activity.ts'
import type { KeyReader, KeyWriter } from './accounts/key.ts'
import type { PasswordTryWriter } from './accounts/password-tries.ts'
import type { ProjectReader, ProjectWriter } from './accounts/project.ts'
import type { AccountLinkReader, AccountLinkWriter, SignInReader, SignInWriter } from './accounts/sign-in.ts'
import type { UserReader, UserWriter } from './accounts/user.ts'
import type { BackupMaker } from './backup.ts'
import type { BlobStore } from './blob.ts'
import type { ClockStateReader, ClockStateWriter } from './clock-state.ts'
import type { CountedRequestReader, CountedRequestWriter } from './counted-requests.ts'
import type { EventStore } from './events/event.ts'
import type { IntakeReader, IntakeWriter } from './events/intake.ts'
import type { LiveEvents } from './events/live-events.ts'
import type { OutboxClaims, OutboxReader, OutboxWriter } from './events/outbox.ts'
import type { IdempotencyWriter } from './idempotency.ts'
import type { DashboardReader, DashboardWriter } from './insights/dashboard.ts'
import type { InsightReader, InsightWriter } from './insights/insight.ts'
import type { InsightCacheReader, InsightCacheWriter } from './insights/insight-cache.ts'
import type { InstallationReader, InstallationWriter, SecretWriter } from './installation.ts'
import type { JobReader, JobWriter } from './job.ts'
import type { DeletionReader, DeletionWriter } from './persons/deletion.ts'
import type { DeletionRunReader, DeletionRunWriter } from './persons/deletion-run.ts'
import type { PersonReader, PersonWriter } from './persons/person.ts'
import type { UndoWriter } from './persons/undo.ts'
import type { RecordingReader, RecordingWriter } from './recordings/recording.ts'
import type { SharingReader, SharingWriter } from './recordings/sharing.ts'
import type { DeliveryReader, DeliveryWriter } from './subscriptions/delivery.ts'
import type { SubscriptionReader, SubscriptionWriter } from './subscriptions/subscription.ts'

export interface SqlReaders {
  projects: ProjectReader
  users: UserReader
  keys: KeyReader
  signIns: SignInReader
  accountLinks: AccountLinkReader
  persons: PersonReader
  recordings: RecordingReader
  sharing: SharingReader
  activity: ActivityReader
  deletions: DeletionReader
  deletionRuns: DeletionRunReader
  deliveries: DeliveryReader
  outbox: OutboxReader
  intake: IntakeReader
  insights: InsightReader
  insightCache: InsightCacheReader
  dashboards: DashboardReader
  subscriptions: SubscriptionReader
  jobs: JobReader
  clockState: ClockStateReader
  installation: InstallationReader
  countedRequests: CountedRequestReader
}

export interface SqlWriters {
  projects: ProjectWriter
  users: UserWriter
  keys: KeyWriter
  signIns: SignInWriter
  accountLinks: AccountLinkWriter
  passwordTries: PasswordTryWriter
  persons: PersonWriter
  undo: UndoWriter
  recordings: RecordingWriter
  sharing: SharingWriter
  activity: ActivityWriter
  deletions: DeletionWriter
  deletionRuns: DeletionRunWriter
  deliveries: DeliveryWriter
  outbox: OutboxWriter
  intake: IntakeWriter
  idempotency: IdempotencyWriter
  secrets: SecretWriter
  insights: InsightWriter
  insightCache: InsightCacheWriter
  dashboards: DashboardWriter
  subscriptions: SubscriptionWriter
  jobs: JobWriter
  clockState: ClockStateWriter
  installation: InstallationWriter
  countedRequests: CountedRequestWriter
}

export interface QueueWriters {
  jobs: JobWriter
  outbox: OutboxClaims
}

/** What is done by one process at a time. `start`: bringing the stores together. `erasure`: removing events for good, or rewriting them. */
export type TurnName = 'start' | 'erasure'

/**
 * Runs `work` while nobody else, in this process or another on the same store, has the turn of that name; waits until then,
 * or until the signal. The signal that `work` gets is also given when the turn is lost, and others may begin.
 */
export type InTurn = <T>(name: TurnName, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => Promise<T>

export interface SqlStores extends SqlReaders {
  /**
   * Atomic: commits when `work` resolves, rolls back when it throws. Durable (fsync) when it
   * resolves. Other writers may wait for it: inside it only the writers may be awaited and, in long work,
   * the next urgent slice (lib/concurrency/time-slices.ts). Transactions do not nest.
   *
   * Overlapping transactions have the result of one after the other. An engine with several writers rolls one of them back
   * for that and runs it again; so `work` may run more than once, and a run that was rolled back must leave nothing in
   * memory either. `unavailable` when it meets others each time.
   */
  transaction<T>(work: (tx: SqlWriters) => Promise<T>): Promise<T>
  /**
   * As `transaction`, for what changes persons of these projects all the time: it would hardly get through if it were
   * rolled back whenever it overlaps with another. Persons are locked instead: `work` reads those that it changes by
   * `lockOwners` or `findToChange`, and takes its number (`nextSeq`) after that, so that of two that change one person
   * the later one has the greater number; if it changes none, whenever it likes. Whatever else it reads, another may
   * change before it ends.
   */
  peopleTransaction<T>(projectIds: number[], work: (tx: SqlWriters) => Promise<T>): Promise<T>
  /**
   * As `transaction`, while no `peopleTransaction` of these projects runs: a number that it takes is greater than all that
   * were taken for their persons and events before, and smaller than all that will be.
   */
  exclusiveTransaction<T>(projectIds: number[], work: (tx: SqlWriters) => Promise<T>): Promise<T>
  /**
   * As `transaction`, for what all processes claim, extend and end all the time. Each method counts on nothing that was read
   * before it, so none is rolled back for another; between two of them, another may change any job or row of the outbox.
   */
  queueTransaction<T>(work: (tx: QueueWriters) => Promise<T>): Promise<T>
  /**
   * As `transaction`, but not yet durable: a crash of the machine (not of the process alone) may undo it as a whole. For
   * cleanup that can be repeated.
   */
  relaxed<T>(work: (tx: SqlWriters) => Promise<T>): Promise<T>
  inTurn: InTurn
  /**
   * Truncates the write-ahead log, so that nothing removed before is left in the files of the store. False when a
   * concurrent reader prevented it: to be retried.
   */
  truncateLog(): Promise<boolean>
  /** How many transactions of one process gain by running at the same time; 1 where each waits for the one before. */
  transactionsAtOnce: number
  /** What the store takes on a disk other than the data folder's files; 0 for an embedded one. */
  bytesElsewhere(): Promise<number>
  /** A round trip; rejects when the store does not answer. */
  ping(): Promise<void>
}

export interface Stores extends SqlStores, BackupMaker {
  /** Reads see every transaction committed before the call, or fail with `unavailable`. */
  events: EventStore
  liveEvents: LiveEvents
  blobs: BlobStore
  close(): Promise<void>
}
