/**
 * The only place that knows everyone: config → stores → features → server. `createApp` opens everything and
 * `close` ends it in the opposite order; nothing listens until the caller says so.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createActivity } from './features/activity/activity.ts'
import { type CaptureRoutesParts, readCall } from './features/capture/capture.routes.ts'
import { createCapture } from './features/capture/capture.ts'
import { createDashboards } from './features/dashboards/dashboards.ts'
import { createDefinitions } from './features/definitions/definitions.ts'
import { createEvents } from './features/events/events.ts'
import { createInsights } from './features/insights/insights.ts'
import { type Callers, createCallers } from './features/keys/callers.ts'
import { createKeys } from './features/keys/keys.ts'
import { createPersons } from './features/persons/persons.ts'
import { createProjects } from './features/projects/projects.ts'
import { finishErasing } from './features/recordings/erase.ts'
import { createRecordings } from './features/recordings/recordings.ts'
import { sweepDrafts } from './features/replay/recorder.ts'
import { createReplay } from './features/replay/replay.ts'
import { createScripts } from './features/sdk/scripts.ts'
import { createSessions } from './features/sessions/sessions.ts'
import { createPlayerFiles } from './features/shared-page/player-files.ts'
import { createSharedPage } from './features/shared-page/shared-page.ts'
import { createSharedView } from './features/sharing/shared-view.ts'
import { createSharing } from './features/sharing/sharing.ts'
import { createSnapshots } from './features/snapshots/snapshots.ts'
import { createSubscriptions } from './features/subscriptions/subscriptions.ts'
import type { SystemParts } from './features/system/system.routes.ts'
import { createUsers } from './features/users/users.ts'
import { createWarnings } from './features/warnings/warnings.ts'
import type { IdempotencyMemory } from './http/idempotency.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { startSchedule } from './jobs/cron.ts'
import type { Clock } from './lib/clock.ts'
import { type DiskWatch, watchDisk } from './lib/disk.ts'
import type { Stores } from './model/stores.ts'
import { type Features, pageRoutes, rawRoutes, routes } from './routes.ts'
import { type Bootstrapped, bootstrap } from './rules/bootstrap.ts'
import { schedule } from './schedule.ts'
import { openStores } from './stores/open.ts'

export interface App {
  server: FastifyInstance
  features: Features
  stores: Stores
  /** What the first start made; null on a store that was there before. */
  first: Bootstrapped | null
  /** Finishes requests in hand, then closes the stores. */
  close(): Promise<void>
}

export interface AppParts {
  config: Config
  clock: Clock
  logger: Logger
}

const idempotencyOn = (stores: Stores, clock: Clock): IdempotencyMemory => ({
  begin: (key, bodyHash) => stores.transaction((tx) => tx.idempotency.begin(key, bodyHash, clock.now())),
  finish: (key, status, body) => stores.transaction((tx) => tx.idempotency.finish(key, status, body)),
  abandon: (key) => stores.transaction((tx) => tx.idempotency.abandon(key)),
})

const bytesLeft = (logger: Logger) => (err: unknown) =>
  logger.error({ err }, 'bytes of a deleted recording could not be removed; tried again at the next start')

/** The same store, with the time of each operation counted under its name. */
function timed<T extends object>(metrics: Metrics, store: string, target: T): T {
  const entries = Object.entries(target).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      metrics.timeStore(store, name, () => (method as (...a: unknown[]) => Promise<unknown>)(...args)),
  ])
  return Object.fromEntries(entries) as T
}

const timedStores = (stores: Stores, metrics: Metrics): Stores => ({
  ...stores,
  transaction: (work) => metrics.timeStore('sql', 'transaction', () => stores.transaction(work)),
  ping: () => metrics.timeStore('sql', 'ping', () => stores.ping()),
  events: timed(metrics, 'events', stores.events),
  blobs: timed(metrics, 'blobs', stores.blobs),
})

/** What several features are handed besides the stores. */
interface Shared {
  metrics: Metrics
  callers: Callers
  disk: DiskWatch
}

/** The stores, and the room that is left for what comes. */
const checksOf = (stores: Stores, { disk }: Shared, config: Config): SystemParts['checks'] => ({
  sql: () => stores.ping(),
  events: () => stores.events.ping(),
  blobs: () => stores.blobs.ping(),
  disk: async () => {
    if (disk.free() < config.minFreeForEvents) throw new Error('The disk is full.')
    return disk.free() < config.minFreeForRecordings ? 'low: recordings are not taken' : undefined
  },
})

/** What browsers ask for without a key: the SDKs' configuration and the page of a share. */
function buildVisitors(
  stores: Stores,
  { config, clock }: AppParts,
  { capture }: CaptureRoutesParts,
  snapshots: Features['snapshots'],
): Pick<Features, 'sdk' | 'sharedPage'> {
  const limits = { inflated: config.captureEventBytes, depth: 100 }
  const view = createSharedView({ stores, clock, secret: config.secret })
  return {
    sdk: {
      projectOf: capture.projectOf,
      projectOfCall: async (call) => capture.projectOf((await readCall(call, limits)).token),
      scripts: createScripts(),
    },
    sharedPage: createSharedPage({
      ...view,
      files: createPlayerFiles(),
      snapshots: snapshots.readShared,
    }),
  }
}

/** Nested as deep as pages are: each element of a document is two levels of its recording. */
const REPLAY_DEPTH = 1_000

/** Recordings in and out. */
function buildReplay(
  stores: Stores,
  { config, clock, logger }: AppParts,
  { metrics, disk }: Shared,
  { capture }: CaptureRoutesParts,
): Pick<Features, 'replay' | 'snapshots'> {
  const { captureReplayBytes: body, captureInflatedBytes: inflated, captureBytesInFlight: waiting } = config
  const lost = (err: Error) => logger.error({ err }, 'bytes of a recording are missing; it goes on without them')
  const replay = createReplay({
    stores,
    clock,
    read: (call) => readCall(call, { inflated, depth: REPLAY_DEPTH }),
    projectOf: capture.projectOf,
    meters: metrics.capture,
    hasRoom: () => disk.free() >= config.minFreeForRecordings,
    lost,
    limits: { body, inflated, waiting },
  })
  return { replay, snapshots: createSnapshots({ stores, clock, inflated, lost }) }
}

function buildFeatures(stores: Stores, parts: AppParts, shared: Shared): Features {
  const { config, clock, logger } = parts
  const { metrics, callers, disk } = shared
  const changed = () => callers.forget()
  const { registry } = metrics
  const recordings = createRecordings({ stores, clock, failed: bytesLeft(logger) })
  const persons = createPersons({ stores, clock, deleteRecordings: recordings.removeOfDistinctIds })
  const capture = {
    capture: createCapture({
      stores,
      clock,
      findProject: callers.findProjectByToken,
      meters: metrics.capture,
      limits: { queuedEvents: config.captureQueuedEvents, outboxRows: config.outboxRows },
      hasRoom: () => disk.free() >= config.minFreeForEvents,
    }),
    limits: {
      event: config.captureEventBytes,
      batch: config.captureBatchBytes,
      inflated: config.captureInflatedBytes,
    },
  }
  const { replay, snapshots } = buildReplay(stores, parts, shared, capture)
  return {
    ...buildVisitors(stores, parts, capture, snapshots),
    activity: createActivity({ stores, personId: async (project, id) => (await persons.retrieve(project, id)).id }),
    capture,
    dashboards: createDashboards({ stores, clock }),
    definitions: createDefinitions({ stores }),
    events: createEvents({ stores, clock }),
    insights: createInsights({ stores, clock }),
    keys: createKeys({ stores, clock, changed }),
    persons,
    projects: createProjects({ stores, clock, changed }),
    recordings,
    replay,
    sessions: createSessions({ stores }),
    sharing: createSharing({ stores, clock }),
    snapshots,
    subscriptions: createSubscriptions({ stores, clock, webhookAllow: config.webhookAllow }),
    system: {
      checks: checksOf(stores, shared, config),
      metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
      metricsToken: config.metricsToken,
    },
    users: createUsers({ stores, changed }),
    warnings: createWarnings({ stores }),
  }
}

function build(opened: Stores, parts: AppParts, disk: DiskWatch): { server: FastifyInstance; features: Features } {
  const { config, clock, logger } = parts
  const metrics = createMetrics(async () => {
    const { length, oldestAt } = await opened.outbox.backlog()
    return { length, ageSeconds: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1_000 }
  })
  const stores = timedStores(opened, metrics)
  const failed = (err: unknown) => logger.error({ err }, 'last use of a key not noted')
  const callers = createCallers({ stores, clock, failed })
  const features = buildFeatures(stores, parts, { metrics, callers, disk })
  const server = createServer({
    routes: routes(features),
    rawRoutes: rawRoutes(features),
    rawBytesInFlight: config.captureBytesInFlight,
    pages: { routes: pageRoutes(features), problem: features.sharedPage.problem },
    access: { ...callers, findShare: features.sharing.openedBy },
    idempotency: idempotencyOn(stores, clock),
    metrics,
    clock,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
  })
  return { server, features }
}

export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, logger } = parts
  const drainFailed = (err: unknown) => logger.error({ err }, 'the event store did not take a batch; trying again')
  const stores = await openStores(config, { clock, drainFailed })
  try {
    const first = await stores.transaction((tx) => bootstrap(tx, config, clock.now()))
    const erase = () => finishErasing({ stores, clock, failed: bytesLeft(logger) })
    await erase()
    await sweepDrafts(stores)
    const disk = await watchDisk(config.dataDir, (err) => logger.error({ err }, 'the free space could not be read'))
    const { server, features } = build(stores, parts, disk)
    await server.ready()
    const recurring = startSchedule(schedule({ stores, clock, finishErasing: erase }), (name, err) =>
      logger.error({ err, name }, 'recurring work failed'),
    )
    const close = async () => {
      disk.stop()
      await recurring.stop()
      await server.close()
      await features.capture.capture.close()
      await features.replay.close()
      await stores.close()
    }
    return { server, features, stores, first, close }
  } catch (error) {
    await stores.close()
    throw error
  }
}
