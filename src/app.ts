/**
 * From settings to a running server: opens the stores, makes what an empty one needs, builds the features and
 * mounts their routes. `close` ends everything in the opposite order; nothing listens, and no job runs, until the caller says so.
 */
import type { FastifyInstance } from 'fastify'
import type { AppParts } from './app-parts.ts'
import { buildFeatures, type Shared } from './build-features.ts'
import { RateLimiter } from './http/access/rate-limit.ts'
import { SharedLimits } from './http/access/shared-limits.ts'
import { memoryIn } from './http/idempotency/idempotency.ts'
import type { Readings } from './http/metrics/gauges.ts'
import { createMetrics, type Metrics } from './http/metrics/metrics.ts'
import { timedStores } from './http/metrics/timed-stores.ts'
import { createServer } from './http/server.ts'
import { ClockWatch } from './jobs/clock-watch.ts'
import { Runner } from './jobs/runner.ts'
import { type DiskWatch, watchDisk } from './lib/disk-space.ts'
import { errorText, isStoreAway } from './lib/errors.ts'
import { describeHold, type Hold } from './lib/time/clock-trust.ts'
import { version } from './lib/version.ts'
import type { ParkedText } from './model/events/outbox.ts'
import type { Worker } from './model/job.ts'
import type { SqlWriters, Stores } from './model/stores.ts'
import { type Features, pageRoutes, rawRoutes, routes } from './routes.ts'
import { type Bootstrapped, bootstrap } from './rules/accounts/bootstrap.ts'
import { clearProject } from './rules/accounts/project-removal.ts'
import { noteAcceptedLosses } from './rules/activity/accepted-losses.ts'
import { OVERDUE_AFTER } from './rules/erasure/deletion-schedule.ts'
import { finishHistory } from './rules/erasure/history-removal.ts'
import { truncateLog } from './rules/erasure/truncate-log.ts'
import { completePeople } from './rules/persons/complete-people.ts'
import { reformatHistory } from './rules/persons/reformat-history.ts'
import { type ScheduleParts, schedule, workers } from './schedule.ts'
import type { LossAccepted } from './stores/check-installation.ts'
import { areAllElsewhere, openStores } from './stores/open.ts'
import type { NoteFailure } from './stores/report-disk-full.ts'
import { createStoreSizes } from './stores/store-sizes.ts'

export interface App {
  server: FastifyInstance
  features: Features
  stores: Stores
  /** What the first start made; null on a store that was there before. */
  first: Bootstrapped | null
  /** What recurs and what waits; runs by itself once started. */
  runner: Runner
  /** Finishes requests and jobs in hand, then closes the stores. */
  close(): Promise<void>
}

interface Watches {
  disk: DiskWatch
  /** The clock's; the watch is made after the metrics that ask for it. */
  hold: () => Hold | null
}

/** What the metrics read of the stores and of the machine. */
function readingsOf(stores: Stores, { clock, config }: AppParts, { disk, hold }: Watches): Readings {
  const { outbox, jobs, deletions } = stores
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, clock.now() - since) / 1_000)
  return {
    async outbox() {
      const { length, oldestAt } = await outbox.backlog()
      return { length, ageSeconds: age(oldestAt), parked: await outbox.parkedCount() }
    },
    async jobs() {
      const { due, oldestAt, parked } = await jobs.backlog(clock.now())
      return { length: due, ageSeconds: age(oldestAt), parked }
    },
    deletionsOverdue: () => deletions.overdue(clock.now() - OVERDUE_AFTER),
    clockAheadSeconds: () => (hold()?.ahead ?? 0) / 1_000,
    diskFree: () => disk.free(),
    ticks: () => jobs.ticks(),
    storeBytes: createStoreSizes({ dataDir: config.dataDir, stores, clock }),
  }
}

/** `rewind` moves what features have planned by a clock that was ahead. */
const createClockWatch = (
  stores: Stores,
  { clock, logger }: AppParts,
  metrics: Metrics,
  rewind: (now: number) => Promise<unknown>,
): ClockWatch =>
  new ClockWatch({
    stores,
    clock,
    held: (hold) => {
      metrics.clockJumped('ahead')
      logger.error(hold, `the clock is ${describeHold(hold)}`)
    },
    released: () => logger.info('the clock is believed again; what is too old is removed as ever'),
    wentBack: async (now, by) => {
      metrics.clockJumped('back')
      logger.warn({ ms: by }, 'the clock went back; what waited for its old time waits no longer')
      await rewind(now)
    },
  })

interface Built {
  server: FastifyInstance
  features: Features
}

function build(opened: Stores, parts: AppParts, shared: Shared): Built {
  const { config, clock, logger } = parts
  const { metrics } = shared
  const stores = timedStores(opened, metrics)
  const features = buildFeatures(stores, parts, shared)
  const server = createServer({
    routes: routes(features),
    rawRoutes: rawRoutes(features),
    rawBytesInFlight: config.captureBytesInFlight,
    pages: { routes: pageRoutes(features), problem: features.sharedPage.problem },
    access: { ...features.keys.authenticator, findShare: features.sharing.openedBy },
    idempotency: memoryIn(stores, clock),
    countParked: (projectId) => stores.outbox.parkedCount(projectId),
    metrics,
    clock,
    limiter: shared.limiter,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
  })
  return { server, features }
}

const workersOf = ({ deliveries, signIn }: Features): Worker[] => [...deliveries.workers, ...signIn.workers]

/** What the schedule and the workers for later call. */
function timedWork(stores: Stores, features: Features, { clock, logger }: AppParts): ScheduleParts {
  const { deletions, deliveries, recordings, warnings } = features
  return {
    stores,
    async makeBackup(folder, signal) {
      const { madeAt, files, bytes } = await stores.backUp(folder, signal)
      logger.info({ folder, madeAt, files, bytes }, 'a backup is complete')
    },
    finishErasing: recordings.finishErasing,
    joinBlocks: recordings.joinBlocks,
    sweepBytes: recordings.sweepBytes,
    sweepDrafts: features.replay.sweepDrafts,
    checkMail: deliveries.mail?.check ?? null,
    createDueDeliveries: deliveries.createDueDeliveries,
    removeExpired: recordings.removeExpired,
    removeExpiredEvents: deletions.removeExpiredEvents,
    removeExpiredWarnings: warnings.removeExpired,
    removeEndedSignIns: features.signIn.removeEnded,
    async completePeople(signal) {
      const persons = await completePeople(stores, clock, signal)
      if (persons > 0) logger.info({ persons }, 'what an earlier version stored of people is complete')
    },
    foldOwners: deletions.foldOwners,
    runDeletions: deletions.run,
    catchUpDeletions: deletions.catchUp,
    truncateLog: (signal) => truncateLog(stores, signal),
    clearHistory: (personId, signal) => finishHistory(stores, personId, signal),
    reformatHistory: (signal) => reformatHistory(stores, signal),
    clearProject: (projectId, signal) => clearProject(stores, projectId, signal),
  }
}

interface RunnerInput {
  watch: ClockWatch
  timed: ScheduleParts
  more: Worker[]
  disk: DiskWatch
}

function createRunner(stores: Stores, { clock, logger }: AppParts, { watch, timed, more, disk }: RunnerInput): Runner {
  return new Runner({
    stores,
    clock,
    watch,
    recurring: schedule(timed),
    workers: [...workers(timed), ...more],
    failed: ({ kind, key, attempts }, err, parked) =>
      parked
        ? logger.error({ err, kind, key, attempts }, 'a job cannot be done and is parked; see "hedgerow jobs list"')
        : logger.warn({ err, kind, key, attempts }, 'a job failed; it is tried again'),
    broken: (err) => {
      // A full disk has its own line, once a minute, and a database that is away, once.
      if (!disk.noteFailure(err) && !isStoreAway(err))
        logger.error({ err }, 'the jobs could not be looked at; trying again')
    },
  })
}

/** Who has sent half a request, or nothing, would be waited for without end. */
const CLOSE_TIMEOUT_MS = 8_000

/** Finishes the requests in hand; after a while whoever still holds a connection is cut off. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => server.server.closeAllConnections(), CLOSE_TIMEOUT_MS)
  await server.close()
  clearTimeout(cutOff)
}

const startDiskWatch = ({ config, clock, logger }: AppParts): Promise<DiskWatch> =>
  watchDisk(config.dataDir, {
    clock,
    failed: (err) => logger.error({ err }, 'the free space could not be read'),
    full: (error, free) => {
      const facts = { folder: config.dataDir, free, error: errorText(error) }
      logger.error(facts, 'the disk is full: nothing can be stored until there is room')
    },
  })

/** Of everything that is limited; shared with other processes where there may be some. */
async function openLimits(stores: Stores, { config, clock, logger }: AppParts) {
  const limiter = new RateLimiter(clock)
  if (!areAllElsewhere(config)) return { limiter, stop: async () => {} }
  const failed = (err: unknown) => logger.warn({ err }, 'what was counted for rate limits could not be shared')
  const shared = new SharedLimits({ limiter, stores, clock, failed })
  await shared.start()
  return { limiter, stop: () => shared.stop() }
}

const presenceOf = (store: string, { logger }: AppParts) => ({
  away: (error: string) =>
    logger.error({ error }, `${store} cannot be reached; requests are answered 503 until it can`),
  back: () => logger.info(`${store} answers again`),
})

/** What the operator is told of the outbox, and of those who follow it. */
const tellOfOutbox = ({ logger }: AppParts, noteFailure: NoteFailure) => ({
  drainFailed: (err: unknown) => {
    if (!noteFailure(err) && !isStoreAway(err))
      logger.error({ err }, 'the event store did not take a batch; trying again')
  },
  batchesParked: (batches: number, reason: string) =>
    logger.error({ batches, reason }, 'the event store refuses part of a batch; it is parked: "hedgerow outbox list"'),
  parkedDropped: ({ id, seq, projectId }: ParkedText) =>
    logger.warn({ id, seq, projectId }, 'a parked batch that cannot be read was removed: it may hold what was deleted'),
  liveFailed: (err: unknown) => {
    if (!isStoreAway(err)) logger.warn({ err }, 'new events could not be read for those who follow them; trying again')
  },
})

export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, logger, scanLimitMs } = parts
  let disk: DiskWatch | undefined
  const noteFailure = (err: unknown) => disk?.noteFailure(err) ?? false
  const makeFirst = (tx: SqlWriters) => bootstrap(tx, config, clock.now())
  let madeForLosses: Bootstrapped | null = null
  const lossAccepted: LossAccepted = {
    async record(tx, losses) {
      // A SQL store that is new has nobody yet to tell it to.
      madeForLosses = await makeFirst(tx)
      await noteAcceptedLosses(tx, losses, clock.now())
    },
    recorded: (losses) => logger.error({ losses }, 'the loss was accepted; going on without what is missing'),
  }
  const stores = await openStores(config, {
    clock,
    noteFailure,
    ...tellOfOutbox(parts, noteFailure),
    sqlPresence: presenceOf('the database', parts),
    eventsPresence: presenceOf('the store of events', parts),
    blobsPresence: presenceOf('the store of recordings', parts),
    displaced: (words) => {
      logger.error(words)
      parts.displaced?.()
    },
    scanLimitMs,
    lossAccepted: parts.acceptLoss ? lossAccepted : null,
    eventsWorker: parts.eventsWorker,
    wrapSql: parts.wrapSql,
  })
  disk = await startDiskWatch(parts)
  try {
    const first = (await stores.transaction(makeFirst)) ?? madeForLosses
    const metrics = createMetrics(readingsOf(stores, parts, { disk, hold: () => watch.hold() }), version())
    const watch = createClockWatch(stores, parts, metrics, async (now) => {
      await features.deliveries.rewindSchedule(now)
      await features.deletions.rewindSchedule(now)
    })
    const limits = await openLimits(stores, parts)
    const { server, features } = build(stores, parts, { metrics, disk, limiter: limits.limiter, watch })
    await watch.look()
    if (watch.hold() === null) await features.recordings.finishErasing()
    await server.ready()
    const timed = timedWork(stores, features, parts)
    const runner = createRunner(stores, parts, { watch, timed, more: workersOf(features), disk })
    const close = async () => {
      disk?.stop()
      await runner.stop()
      await watch.stop().catch((err: unknown) => logger.error({ err }, 'what the clock says could not be noted'))
      features.events.live.close()
      await closeServer(server)
      await limits.stop()
      await features.capture.close()
      await features.replay.close()
      await stores.close()
    }
    return { server, features, stores, first, runner, close }
  } catch (error) {
    disk.stop()
    await stores.close()
    throw error
  }
}
