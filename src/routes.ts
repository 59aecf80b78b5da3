/** The table of contents of the API: one line per feature, each a list of its own routes. */
import type { DeliveriesFeature } from './build-deliveries.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import type { ActivityLog } from './features/activity/activity.ts'
import { type CaptureRoutesParts, captureRoutes } from './features/capture/capture.routes.ts'
import { chartRoutes } from './features/charts/charts.routes.ts'
import type { Charts } from './features/charts/charts.ts'
import { dashboardRoutes } from './features/dashboards/dashboards.routes.ts'
import type { Dashboards } from './features/dashboards/dashboards.ts'
import { definitionRoutes } from './features/definitions/definitions.routes.ts'
import type { Definitions } from './features/definitions/definitions.ts'
import type { Deletions } from './features/deletions/deletions.ts'
import { deliveryRoutes } from './features/deliveries/deliveries.routes.ts'
import { docsRoutes } from './features/docs/docs.routes.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import type { Events } from './features/events/events.ts'
import { insightRoutes } from './features/insights/insights.routes.ts'
import type { Insights } from './features/insights/insights.ts'
import { keyRoutes } from './features/keys/keys.routes.ts'
import type { Keys } from './features/keys/keys.ts'
import { personRoutes } from './features/persons/persons.routes.ts'
import type { Persons } from './features/persons/persons.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import type { Projects } from './features/projects/projects.ts'
import { queryRoutes } from './features/query/query.routes.ts'
import type { Query } from './features/query/query.ts'
import { recordingRoutes } from './features/recordings/recordings.routes.ts'
import type { Recordings } from './features/recordings/recordings.ts'
import { replayRoutes } from './features/replay/replay.routes.ts'
import type { Replay } from './features/replay/replay.ts'
import { type SdkParts, sdkRoutes } from './features/sdk/sdk.routes.ts'
import { sessionRoutes } from './features/sessions/sessions.routes.ts'
import type { Sessions } from './features/sessions/sessions.ts'
import { playerFileRoutes, sharedPageRoutes } from './features/shared-page/shared-page.routes.ts'
import type { SharedPage } from './features/shared-page/shared-page.ts'
import { sharingRoutes } from './features/sharing/sharing.routes.ts'
import type { SharingFeature } from './features/sharing/sharing.ts'
import { snapshotRoutes } from './features/snapshots/snapshots.routes.ts'
import type { Snapshots } from './features/snapshots/snapshots.ts'
import { subscriptionRoutes } from './features/subscriptions/subscriptions.routes.ts'
import type { Subscriptions } from './features/subscriptions/subscriptions.ts'
import { type SystemParts, systemRoutes } from './features/system/system.routes.ts'
import { unsubscribeRoutes } from './features/unsubscribe/unsubscribe.routes.ts'
import type { Unsubscribe } from './features/unsubscribe/unsubscribe.ts'
import { userRoutes } from './features/users/users.routes.ts'
import type { Users } from './features/users/users.ts'
import { warningRoutes } from './features/warnings/warnings.routes.ts'
import type { Warnings } from './features/warnings/warnings.ts'
import type { PageRoute } from './http/page-routes.ts'
import type { RawRoute } from './http/raw-routes.ts'
import type { Route } from './http/route.ts'

export interface Features {
  activity: ActivityLog
  capture: CaptureRoutesParts
  charts: Charts
  dashboards: Dashboards
  definitions: Definitions
  /** Has no route: it runs by the clock and on the command line only. */
  deletions: Deletions
  deliveries: DeliveriesFeature
  events: Events
  insights: Insights
  keys: Keys
  persons: Persons
  projects: Projects
  query: Query
  recordings: Recordings
  replay: Replay
  sdk: SdkParts
  sessions: Sessions
  sharedPage: SharedPage
  sharing: SharingFeature
  snapshots: Snapshots
  subscriptions: Subscriptions
  system: SystemParts
  unsubscribe: Unsubscribe
  users: Users
  warnings: Warnings
}

export const routes = (features: Features): Route[] => {
  const all: Route[] = [
    ...systemRoutes(features.system), //        /_health /_ready /metrics
    ...keyRoutes(features.keys), //             /api/personal_api_keys/
    ...userRoutes(features.users), //           /api/users/@me/
    ...projectRoutes(features.projects), //     /api/projects/ and /
    ...personRoutes(features.persons), //       /persons/
    ...activityRoutes(features.activity), //    /activity_log/ and /persons/…/activity/
    ...recordingRoutes(features.recordings), // /session_recordings/
    ...snapshotRoutes(features.snapshots), //   /session_recordings/{id}/snapshots/
    ...sharingRoutes(features.sharing), //      /session_recordings/{recording_id}/sharing/
    ...sessionRoutes(features.sessions), //     /sessions/
    ...eventRoutes(features.events), //         /events/
    ...definitionRoutes(features.definitions), // /event_definitions/ /property_definitions/
    ...warningRoutes(features.warnings), //     /ingestion_warnings/
    ...subscriptionRoutes(features.subscriptions), // /subscriptions/
    ...deliveryRoutes(features.deliveries), //  /subscriptions/{id}/deliveries/ and …/test-delivery/
    ...insightRoutes(features.insights), //     /insights/
    ...dashboardRoutes(features.dashboards), // /dashboards/
    ...chartRoutes(features.charts), //         /insights/{id}/chart.png|svg /dashboards/{id}/chart.png
    ...queryRoutes(features.query), //          /query/
    ...docsRoutes(() => all), //                /api/schema/ and /api/docs/
  ]
  return all
}

/** Where the SDKs talk to us: bytes in, plain text out, no key. */
export const rawRoutes = (features: Features): RawRoute[] => [
  ...captureRoutes(features.capture), //      /e/ /i/v0/e/ /capture/ /track/ /batch/ /engage/ /i/v1/analytics/events
  ...replayRoutes(features.replay), //        /s/
  ...sdkRoutes(features.sdk), //              /flags/ /decide/ /array/{token}/config(.js) /static/
  ...playerFileRoutes(features.sharedPage), // /static/player/
]

/** Pages for whoever has a link: no key. */
export const pageRoutes = (features: Features): PageRoute[] => [
  ...sharedPageRoutes(features.sharedPage), // /shared/{token} /embedded/{token}
  ...unsubscribeRoutes(features.unsubscribe), // /unsubscribe
]
