/** Every feature, handed what it needs of the stores and of the others: the only place that knows them all. */
import type { Logger } from 'pino'
import type { AppParts } from './app-parts.ts'
import { buildDeliveries } from './build-deliveries.ts'
import { drawDashboard, drawInsight } from './charts/draw-insight.ts'
import { toPng } from './charts/png.ts'
import { createActivityFeature } from './features/activity/activity.feature.ts'
import type { CaptureRoutesParts } from './features/capture/capture.routes.ts'
import { createCapture } from './features/capture/capture.ts'
import { readCaptureBody } from './features/capture/read-body.ts'
import { createChartsFeature } from './features/charts/charts.feature.ts'
import { createDashboardsFeature } from './features/dashboards/dashboards.feature.ts'
import { createDefinitionsFeature } from './features/definitions/definitions.feature.ts'
import { createDeletions } from './features/deletions/deletions.ts'
import { createEventsFeature } from './features/events/events.feature.ts'
import { type Compute, createCompute } from './features/insights/compute/compute.ts'
import { createInsightResults } from './features/insights/compute/insight-results.ts'
import { createInsights } from './features/insights/insights.ts'
import type { Authenticator } from './features/keys/authenticate.ts'
import { createKeys } from './features/keys/keys.ts'
import { createPersonsFeature } from './features/persons/persons.feature.ts'
import { createProjectsFeature } from './features/projects/projects.feature.ts'
import { createQueryFeature } from './features/query/query.feature.ts'
import { createRecordings } from './features/recordings/recordings.ts'
import { createReplay } from './features/replay/replay.ts'
import { createScripts } from './features/sdk/scripts.ts'
import { createSessionsFeature } from './features/sessions/sessions.feature.ts'
import { createPlayerFiles } from './features/shared-page/player-files.ts'
import { createSharedPage } from './features/shared-page/shared-page.ts'
import { createSharedView } from './features/sharing/shared-view.ts'
import { createSharing } from './features/sharing/sharing.ts'
import { createSnapshotsFeature } from './features/snapshots/snapshots.feature.ts'
import { createRecipientRemoval } from './features/subscriptions/remove-recipient.ts'
import { createSubscriptions } from './features/subscriptions/subscriptions.ts'
import type { SystemParts } from './features/system/system.routes.ts'
import { createUnsubscribeFeature } from './features/unsubscribe/unsubscribe.feature.ts'
import { createUsersFeature } from './features/users/users.feature.ts'
import { createWarningsFeature } from './features/warnings/warnings.feature.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import type { ClockWatch } from './jobs/clock-watch.ts'
import type { DiskWatch } from './lib/disk-space.ts'
import { describeHold } from './lib/time/clock-trust.ts'
import type { Project } from './model/accounts/project.ts'
import type { Compaction } from './model/events/erasure.ts'
import type { Stores } from './model/stores.ts'
import type { Features } from './routes.ts'
import { OVERDUE_AFTER } from './rules/erasure/deletion-schedule.ts'

/** What several features are handed besides the stores. */
export interface Shared {
  metrics: Metrics
  authenticator: Authenticator
  disk: DiskWatch
  watch: Pick<ClockWatch, 'hold' | 'believedNow'>
}

/** The stores, and the room that is left for what comes. */
const checksOf = (stores: Stores, { disk, watch }: Shared, { config, clock }: AppParts): SystemParts['checks'] => ({
  sql: () => stores.ping(),
  events: () => stores.events.ping(),
  blobs: () => stores.blobs.ping(),
  disk: async () => {
    if (disk.free() < config.minFreeForEvents) throw new Error('The disk is full.')
    return disk.free() < config.minFreeForRecordings ? 'low: recordings are not taken' : undefined
  },
  outbox: async () => {
    const parked = await stores.outbox.parkedCount()
    return parked > 0 ? `${parked} parked: "hedgerow outbox list" shows them` : undefined
  },
  jobs: async () => {
    const { parked } = await stores.jobs.backlog(clock.now())
    return parked > 0 ? `${parked} parked: "hedgerow jobs list" shows them` : undefined
  },
  deletions: async () => {
    const overdue = await stores.deletions.overdue(clock.now() - OVERDUE_AFTER)
    return overdue > 0 ? `${overdue} late by more than an hour: the log says why` : undefined
  },
  clock: async () => {
    const hold = watch.hold()
    return hold === null ? undefined : describeHold(hold)
  },
})

/** What browsers ask for without a key: the SDKs' configuration and the page of a share. */
function buildVisitors(
  stores: Stores,
  { config, clock }: AppParts,
  { capture }: CaptureRoutesParts,
  snapshots: Features['snapshots'],
): Pick<Features, 'sdk' | 'sharedPage'> {
  const reading = { inflated: config.captureEventBytes, depth: 100, projectOf: capture.projectOf }
  const view = createSharedView({ stores, clock, secret: config.secret })
  return {
    sdk: {
      projectOf: capture.projectOf,
      projectOfCall: async (call) => capture.projectOf((await readCaptureBody(call, reading)).token),
      scripts: createScripts(),
    },
    sharedPage: createSharedPage({
      ...view,
      files: createPlayerFiles(),
      snapshots: snapshots.readShared,
    }),
  }
}

export const logCompaction = (logger: Logger) => (bytes: Compaction) =>
  logger.info(bytes, 'the event store gave room back')

function buildDeletions(stores: Stores, { clock, logger }: AppParts): Features['deletions'] {
  return createDeletions({
    stores,
    clock,
    done: (counts) => logger.info(counts, 'events of deleted persons are gone'),
    late: (requests) => logger.error({ requests }, 'event deletions are late by more than an hour; trying again'),
    compacted: logCompaction(logger),
    logHeld: () => logger.warn('deleted values are still in the SQL store’s log, which is being read; emptied later'),
  })
}

/** Nested as deep as pages are: each element of a document is two levels of its recording. */
const REPLAY_DEPTH = 1_000

/** Recordings in and out. */
function buildReplay(
  stores: Stores,
  { config, clock, logger }: AppParts,
  { metrics, disk, watch }: Shared,
  { capture }: CaptureRoutesParts,
): Pick<Features, 'replay' | 'snapshots'> {
  const { captureReplayBytes: body, captureInflatedBytes: inflated, captureBytesInFlight: waiting } = config
  const { projectOf } = capture
  const lost = (err: Error) => logger.error({ err }, 'bytes of a recording are missing; it goes on without them')
  const replay = createReplay({
    stores,
    clock,
    believedNow: () => watch.believedNow(),
    read: (call, ends) => readCaptureBody(call, { inflated, depth: REPLAY_DEPTH, projectOf, ends, isReplay: true }),
    projectOf,
    meters: metrics.capture,
    hasRoom: () => disk.free() >= config.minFreeForRecordings,
    lost,
    limits: { body, inflated, waiting },
  })
  return { replay, snapshots: createSnapshotsFeature({ stores, clock, inflated, lost }) }
}

/** Subscriptions, what is sent for them, and how its recipients leave. */
function buildReports(
  stores: Stores,
  parts: AppParts,
  compute: Compute,
): Pick<Features, 'deliveries' | 'subscriptions' | 'unsubscribe'> {
  const { config, clock } = parts
  const deliveries = buildDeliveries(stores, parts, async (project, insight, filters) => {
    return (await compute.computeInsight(project, insight, { filters })).result
  })
  const subscriptions = createSubscriptions({
    stores,
    clock,
    webhookAllow: config.webhookAllow,
    sendConfirmations: deliveries.sendConfirmations,
    problemOf: (subscription) => deliveries.problemOf(subscription)?.message ?? null,
  })
  const { secret } = deliveries
  const unsubscribe = createUnsubscribeFeature({ clock, secret, ...createRecipientRemoval({ stores, clock }) })
  return { deliveries, subscriptions, unsubscribe }
}

export function buildFeatures(stores: Stores, parts: AppParts, shared: Shared): Features {
  const { config, clock, logger } = parts
  const { metrics, authenticator, disk } = shared
  const changed = () => authenticator.forget()
  const { registry } = metrics
  const recordings = createRecordings({ stores, clock, failed: logUndeletedBytes(logger) })
  const persons = createPersonsFeature({ stores, clock, deleteRecordings: recordings.removeOfPersons })
  const personId = async (project: Project, id: string) => (await persons.retrieve(project, id)).id
  const capture = {
    capture: createCapture({
      stores,
      clock,
      findProject: authenticator.findProjectByToken,
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
  const compute = createCompute({ stores, clock })
  const show = createInsightResults(compute)
  return {
    ...buildVisitors(stores, parts, capture, snapshots),
    ...buildReports(stores, parts, compute),
    activity: createActivityFeature({ stores, personId }),
    capture,
    charts: createChartsFeature({
      stores,
      clock,
      compute: compute.computeInsight,
      drawInsight,
      drawDashboard,
      toPng,
      failed: ({ id }, err) => logger.warn({ err, insight: id }, 'an insight of a dashboard could not be computed'),
    }),
    dashboards: createDashboardsFeature({ stores, clock, show: show.many }),
    definitions: createDefinitionsFeature({ stores }),
    deletions: buildDeletions(stores, parts),
    events: createEventsFeature({ stores, clock }),
    insights: createInsights({ stores, clock, show }),
    keys: createKeys({ stores, clock, changed }),
    persons,
    projects: createProjectsFeature({
      stores,
      clock,
      changed,
      uncleared: (project, err) =>
        logger.warn({ err, project }, 'a removed project could not be cleared yet; its job tries again'),
    }),
    query: createQueryFeature({ compute: compute.computeQuery, kept: compute.kept }),
    recordings,
    replay,
    sessions: createSessionsFeature({ stores }),
    sharing: createSharing({ stores, clock }),
    snapshots,
    system: {
      checks: checksOf(stores, shared, parts),
      metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
      metricsToken: config.metricsToken,
    },
    users: createUsersFeature({ stores, currentProject: authenticator.currentProject, changed }),
    warnings: createWarningsFeature({ stores }),
  }
}

export const logUndeletedBytes = (logger: Logger) => (err: unknown) =>
  logger.error({ err }, 'bytes of a deleted recording could not be removed; tried again at the next start')
