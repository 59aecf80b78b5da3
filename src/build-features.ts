/** Every feature, handed what it needs of the stores and of the others: the only place that knows them all. */
import { rmSync } from 'node:fs'
import type { AppParts } from './app-parts.ts'
import { drawDashboard, drawInsight } from './charts/draw-insight.ts'
import { toPng } from './charts/png.ts'
import { describeSettings } from './config.ts'
import { createActivityFeature } from './features/activity/activity.feature.ts'
import { createAppPageFeature } from './features/app-page/app-page.feature.ts'
import { createCaptureFeature } from './features/capture/capture.feature.ts'
import { createChartsFeature } from './features/charts/charts.feature.ts'
import { createDashboardsFeature } from './features/dashboards/dashboards.feature.ts'
import { createDefinitionsFeature } from './features/definitions/definitions.feature.ts'
import { createDeletionsFeature } from './features/deletions/deletions.feature.ts'
import { createDeliveriesFeature } from './features/deliveries/deliveries.feature.ts'
import { createDocsFeature } from './features/docs/docs.feature.ts'
import { createEventsFeature } from './features/events/events.feature.ts'
import { createHomeFeature } from './features/home/home.feature.ts'
import { createInsightsFeature } from './features/insights/insights.feature.ts'
import { createKeysFeature } from './features/keys/keys.feature.ts'
import { createOrganizationsFeature } from './features/organizations/organizations.feature.ts'
import { createPersonsFeature } from './features/persons/persons.feature.ts'
import { createProjectsFeature } from './features/projects/projects.feature.ts'
import { createQueryFeature } from './features/query/query.feature.ts'
import { createRecordingsFeature } from './features/recordings/recordings.feature.ts'
import { createReplayFeature } from './features/replay/replay.feature.ts'
import { createSdkFeature } from './features/sdk/sdk.feature.ts'
import { createSessionsFeature } from './features/sessions/sessions.feature.ts'
import { createSharedPageFeature } from './features/shared-page/shared-page.feature.ts'
import { createSharingFeature } from './features/sharing/sharing.feature.ts'
import { createSignInFeature } from './features/sign-in/sign-in.feature.ts'
import { createSnapshotsFeature } from './features/snapshots/snapshots.feature.ts'
import { createSubscriptionsFeature } from './features/subscriptions/subscriptions.feature.ts'
import { createSystemFeature } from './features/system/system.feature.ts'
import { createUnsubscribeFeature } from './features/unsubscribe/unsubscribe.feature.ts'
import { createUsageFeature } from './features/usage/usage.feature.ts'
import { createUsersFeature } from './features/users/users.feature.ts'
import { createWarningsFeature } from './features/warnings/warnings.feature.ts'
import type { RateLimiter } from './http/access/rate-limit.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import type { ClockWatch } from './jobs/clock-watch.ts'
import type { DiskWatch } from './lib/disk-space.ts'
import { atMostEvery } from './lib/time/at-most-every.ts'
import { MINUTE } from './lib/time/time.ts'
import { version } from './lib/version.ts'
import type { Project } from './model/accounts/project.ts'
import type { Stores } from './model/stores.ts'
import type { Features } from './routes.ts'
import { setupLinkFile } from './stores/data-folder.ts'

/** What several features are handed besides the stores. */
export interface Shared {
  metrics: Metrics
  disk: DiskWatch
  /** Of everything that is limited. */
  limiter: RateLimiter
  watch: Pick<ClockWatch, 'hold' | 'trustedNow'>
}

/**
 * Whether there is room on the disk for what a request brings; a refusal is in the log, at most once a minute.
 * `setting`: its name, and the bytes that it wants free.
 */
function roomOnDisk({ clock, logger }: AppParts, disk: DiskWatch, what: string, setting: [string, number]) {
  const [name, needed] = setting
  const mayTell = atMostEvery(MINUTE, clock)
  return (): boolean => {
    const free = disk.free()
    if (free >= needed) return true
    if (mayTell()) logger.error({ free, needed, setting: name }, `not enough room on the disk: ${what} are refused`)
    return false
  }
}

type Intake = Pick<Features, 'capture' | 'replay' | 'snapshots' | 'sdk'>

/** What browsers and servers send, the recordings read back, and the SDKs' configuration. */
function buildIntake(
  stores: Stores,
  parts: AppParts,
  { metrics, disk, watch }: Shared,
  { findProjectByToken: findProject, currentProject }: Features['keys']['authenticator'],
): Intake {
  const { config, clock, logger } = parts
  const forEvents = roomOnDisk(parts, disk, 'events', ['HEDGEROW_MIN_FREE_FOR_EVENTS', config.minFreeForEvents])
  const { minFreeForRecordings } = config
  const forRecordings = roomOnDisk(parts, disk, 'recordings', [
    'HEDGEROW_MIN_FREE_FOR_RECORDINGS',
    minFreeForRecordings,
  ])
  const { captureEventBytes: event, captureBatchBytes: batch, captureInflatedBytes: inflated } = config
  const capture = createCaptureFeature({
    stores,
    clock,
    findProject,
    meters: metrics.capture,
    limits: { queuedEvents: config.captureQueuedEvents, outboxRows: config.outboxRows },
    bodyLimits: { event, batch, inflated },
    hasRoom: forEvents,
  })
  const { projectOf, readBody } = capture
  const lost = (err: Error) => logger.error({ err }, 'bytes of a recording are missing; it goes on without them')
  const replay = createReplayFeature({
    stores,
    clock,
    trustedNow: () => watch.trustedNow(),
    readBody,
    projectOf,
    meters: metrics.capture,
    hasRoom() {
      const isThere = forRecordings()
      if (!isThere) metrics.refused('disk_space_recordings')
      return isThere
    },
    lost,
    limits: { body: config.captureReplayBytes, inflated, waiting: config.captureBytesInFlight },
  })
  const snapshots = createSnapshotsFeature({ stores, clock, inflated, lost })
  return { capture, replay, snapshots, sdk: createSdkFeature({ projectOf, currentProject, readBody, inflated: event }) }
}

/** Subscriptions, what is sent for them, and how its recipients leave. */
function buildReports(
  stores: Stores,
  parts: AppParts,
  { metrics, limiter }: Pick<Shared, 'metrics' | 'limiter'>,
  { compute }: Features['insights'],
): Pick<Features, 'deliveries' | 'subscriptions' | 'unsubscribe'> {
  const { config, clock, logger } = parts
  const { computeInsight } = compute
  const deliveries = createDeliveriesFeature({
    stores,
    clock,
    limiter,
    logger,
    settings: config,
    computeInsight,
    drawInsight,
    toPng,
    attempted: metrics.delivered,
  })
  const subscriptions = createSubscriptionsFeature({
    stores,
    clock,
    webhookAllow: config.webhookAllow,
    sendConfirmations: deliveries.sendConfirmations,
    problemOf: (subscription) => deliveries.problemOf(subscription)?.message ?? null,
  })
  const { secret } = deliveries
  const unsubscribe = createUnsubscribeFeature({ clock, limiter, secret, ...subscriptions.recipientRemoval })
  return { deliveries, subscriptions, unsubscribe }
}

/** Insights, and what shows their results. */
function buildInsights(
  stores: Stores,
  { clock, logger }: AppParts,
): Pick<Features, 'charts' | 'dashboards' | 'insights' | 'query'> {
  const insights = createInsightsFeature({ stores, clock })
  const { compute, results } = insights
  const charts = createChartsFeature({
    stores,
    clock,
    compute: compute.computeInsight,
    drawInsight,
    drawDashboard,
    toPng,
    failed: ({ id }, err) => logger.warn({ err, insight: id }, 'an insight of a dashboard could not be computed'),
  })
  const dashboards = createDashboardsFeature({ stores, clock, show: results.many })
  const query = createQueryFeature({ compute: compute.computeQuery, kept: compute.kept })
  return { charts, dashboards, insights, query }
}

function buildAccounts(stores: Stores, { config, clock, logger }: AppParts, { mail }: Features['deliveries']) {
  const keys = createKeysFeature({ stores, clock, logger })
  const { forget: changed, currentProject } = keys.authenticator
  const organizations = createOrganizationsFeature({ stores, currentProject })
  const { publicUrl, webApp } = config
  const unsent = (user: number, reason: string) =>
    logger.warn({ user, reason }, 'a link to a new password was not sent')
  const signIn = createSignInFeature({
    stores,
    clock,
    // The page that a link opens is one of the app.
    mail: mail && publicUrl !== null && webApp ? { mailer: mail.mailer, publicUrl, failed: unsent } : null,
    changed,
    linkUsed: () => rmSync(setupLinkFile(config.dataDir), { force: true }),
  })
  return {
    keys,
    organizations,
    projects: createProjectsFeature({
      stores,
      clock,
      findOrganization: organizations.find,
      currentOrganization: keys.authenticator.currentOrganization,
      changed,
      uncleared: (project, err) =>
        logger.warn({ err, project }, 'a removed project could not be cleared yet; its job tries again'),
    }),
    signIn,
    users: createUsersFeature({
      stores,
      currentProject,
      organizations: organizations.reached,
      changePassword: signIn.changePassword,
      changed,
    }),
  }
}

export function buildFeatures(stores: Stores, parts: AppParts, shared: Shared): Features {
  const { config, clock, logger } = parts
  const { metrics, disk, watch } = shared
  const computed = buildInsights(stores, parts)
  const reports = buildReports(stores, parts, shared, computed.insights)
  const accounts = buildAccounts(stores, parts, reports.deliveries)
  const access = accounts.keys.authenticator
  const intake = buildIntake(stores, parts, shared, access)
  const recordings = createRecordingsFeature({
    stores,
    clock,
    logger,
    inObjects: config.blobsUrl !== null,
    meters: metrics,
  })
  const persons = createPersonsFeature({ stores, clock, deleteRecordings: recordings.removeOfPersons })
  const personId = async (project: Project, id: string) => (await persons.retrieve(project, id)).id
  const sharing = createSharingFeature({ stores, clock, secret: config.secret, hasApp: config.webApp })
  const appPage = createAppPageFeature({ enabled: config.webApp, version: version(), stores, access })
  return {
    ...accounts,
    ...intake,
    ...computed,
    ...reports,
    activity: createActivityFeature({ stores, personId }),
    appPage,
    definitions: createDefinitionsFeature({ stores }),
    deletions: createDeletionsFeature({ stores, clock, logger }),
    docs: createDocsFeature(config),
    events: createEventsFeature({ stores, clock }),
    home: createHomeFeature({ toPng, app: config.webApp ? appPage.show : null }),
    persons,
    recordings,
    sessions: createSessionsFeature({ stores, clock }),
    sharedPage: createSharedPageFeature({ ...sharing.view, snapshots: intake.snapshots.readShared }),
    sharing,
    system: createSystemFeature({
      stores,
      clock,
      disk,
      hold: () => watch.hold(),
      mail: reports.deliveries.mail,
      registry: metrics.registry,
      minFree: { recordings: config.minFreeForRecordings, events: config.minFreeForEvents },
      metricsToken: config.metricsToken,
      version: version(),
      settings: describeSettings(config),
    }),
    usage: createUsageFeature({ stores, clock }),
    warnings: createWarningsFeature({ stores }),
  }
}
