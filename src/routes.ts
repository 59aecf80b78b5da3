/** The table of contents of the API: one line per feature, each a list of its own routes. */

import type { ActivityFeature } from './features/activity/activity.feature.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import type { AppPageFeature } from './features/app-page/app-page.feature.ts'
import { appFileRoutes, appPageRoutes } from './features/app-page/app-page.routes.ts'
import type { CaptureFeature } from './features/capture/capture.feature.ts'
import { captureRoutes } from './features/capture/capture.routes.ts'
import type { ChartsFeature } from './features/charts/charts.feature.ts'
import { chartRoutes } from './features/charts/charts.routes.ts'
import type { DashboardsFeature } from './features/dashboards/dashboards.feature.ts'
import { dashboardRoutes } from './features/dashboards/dashboards.routes.ts'
import type { DefinitionsFeature } from './features/definitions/definitions.feature.ts'
import { definitionRoutes } from './features/definitions/definitions.routes.ts'
import type { DeletionsFeature } from './features/deletions/deletions.feature.ts'
import { deletionRoutes } from './features/deletions/deletions.routes.ts'
import type { DeliveriesFeature } from './features/deliveries/deliveries.feature.ts'
import { deliveryRoutes } from './features/deliveries/deliveries.routes.ts'
import type { DocsFeature } from './features/docs/docs.feature.ts'
import { docsRoutes } from './features/docs/docs.routes.ts'
import { emptyListRoutes } from './features/empty-lists/empty-lists.routes.ts'
import type { EventsFeature } from './features/events/events.feature.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import type { HomeFeature } from './features/home/home.feature.ts'
import { homeFileRoutes, homePageRoutes, homeRoutes } from './features/home/home.routes.ts'
import type { InsightsFeature } from './features/insights/insights.feature.ts'
import { insightRoutes } from './features/insights/insights.routes.ts'
import type { KeysFeature } from './features/keys/keys.feature.ts'
import { keyRoutes } from './features/keys/keys.routes.ts'
import type { OrganizationsFeature } from './features/organizations/organizations.feature.ts'
import { organizationRoutes } from './features/organizations/organizations.routes.ts'
import type { PersonsFeature } from './features/persons/persons.feature.ts'
import { personRoutes } from './features/persons/persons.routes.ts'
import type { ProjectsFeature } from './features/projects/projects.feature.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import type { QueryFeature } from './features/query/query.feature.ts'
import { queryRoutes } from './features/query/query.routes.ts'
import type { RecordingsFeature } from './features/recordings/recordings.feature.ts'
import { recordingRoutes } from './features/recordings/recordings.routes.ts'
import type { ReplayFeature } from './features/replay/replay.feature.ts'
import { replayRoutes } from './features/replay/replay.routes.ts'
import { flagDefinitionRoutes } from './features/sdk/flag-definitions.routes.ts'
import type { SdkFeature } from './features/sdk/sdk.feature.ts'
import { sdkRoutes } from './features/sdk/sdk.routes.ts'
import type { SessionsFeature } from './features/sessions/sessions.feature.ts'
import { sessionRoutes } from './features/sessions/sessions.routes.ts'
import type { SharedPageFeature } from './features/shared-page/shared-page.feature.ts'
import { playerFileRoutes, playerFrameRoutes, sharedPageRoutes } from './features/shared-page/shared-page.routes.ts'
import type { SharingFeature } from './features/sharing/sharing.feature.ts'
import { sharingRoutes } from './features/sharing/sharing.routes.ts'
import type { SignInFeature } from './features/sign-in/sign-in.feature.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import type { SnapshotsFeature } from './features/snapshots/snapshots.feature.ts'
import { snapshotRoutes } from './features/snapshots/snapshots.routes.ts'
import type { SubscriptionsFeature } from './features/subscriptions/subscriptions.feature.ts'
import { subscriptionRoutes } from './features/subscriptions/subscriptions.routes.ts'
import type { SystemFeature } from './features/system/system.feature.ts'
import { systemRoutes } from './features/system/system.routes.ts'
import type { UnsubscribeFeature } from './features/unsubscribe/unsubscribe.feature.ts'
import { unsubscribeRoutes } from './features/unsubscribe/unsubscribe.routes.ts'
import type { UsageFeature } from './features/usage/usage.feature.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import type { UsersFeature } from './features/users/users.feature.ts'
import { userRoutes } from './features/users/users.routes.ts'
import type { WarningsFeature } from './features/warnings/warnings.feature.ts'
import { warningRoutes } from './features/warnings/warnings.routes.ts'
import type { PageRoute } from './http/page-routes.ts'
import type { RawRoute } from './http/raw-routes.ts'
import type { Route } from './http/route.ts'

export interface Features {
  activity: ActivityFeature
  appPage: AppPageFeature
  capture: CaptureFeature
  charts: ChartsFeature
  dashboards: DashboardsFeature
  definitions: DefinitionsFeature
  deletions: DeletionsFeature
  deliveries: DeliveriesFeature
  docs: DocsFeature
  events: EventsFeature
  home: HomeFeature
  insights: InsightsFeature
  keys: KeysFeature
  organizations: OrganizationsFeature
  persons: PersonsFeature
  projects: ProjectsFeature
  query: QueryFeature
  recordings: RecordingsFeature
  replay: ReplayFeature
  sdk: SdkFeature
  sessions: SessionsFeature
  sharedPage: SharedPageFeature
  signIn: SignInFeature
  sharing: SharingFeature
  snapshots: SnapshotsFeature
  subscriptions: SubscriptionsFeature
  system: SystemFeature
  unsubscribe: UnsubscribeFeature
  usage: UsageFeature
  users: UsersFeature
  warnings: WarningsFeature
}

export const routes = (features: Features): Route[] => {
  const all: Route[] = [
    ...systemRoutes(features.system), //        /_health /_ready /metrics
    ...keyRoutes(features.keys), //             /api/personal_api_keys/
    ...signInRoutes(features.signIn), //        /_preflight/ /api/login/ /logout /api/signup/ /api/users/@me/login_sessions/
    ...userRoutes(features.users), //           /api/users/@me/
    ...organizationRoutes(features.organizations), // /api/organizations/
    ...projectRoutes(features.projects), //     /api/projects/ and / and /api/organizations/{organization_id}/projects/
    ...usageRoutes(features.usage), //          /usage/
    ...personRoutes(features.persons), //       /persons/ and /activity_log/{id}/undo/
    ...deletionRoutes(features.deletions), //   /persons/deletion_summary/
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
    ...emptyListRoutes(), //                    /feature_flags/ /experiments/ /surveys/ /cohorts/ /actions/
    ...flagDefinitionRoutes(features.sdk), //   /api/feature_flag/local_evaluation/ /flags/definitions/
    ...homeRoutes(features.home), //            /api/
    ...docsRoutes(features.docs, () => all), // /api/schema/ and /api/docs/
  ]
  return all
}

/** Where the SDKs talk to us: bytes in, plain text out, no key. */
export const rawRoutes = (features: Features): RawRoute[] => [
  ...captureRoutes(features.capture), //      /e/ /i/v0/e/ /capture/ /track/ /batch/ /engage/ /i/v1/analytics/events
  ...replayRoutes(features.replay), //        /s/
  ...sdkRoutes(features.sdk), //              /flags/ /decide/ /array/{token}/ /static/ /api/surveys/ and the like
  ...playerFileRoutes(features.sharedPage), // /static/player/
  ...appFileRoutes(features.appPage), //      /static/app/
  ...homeFileRoutes(features.home), //        /favicon.ico
]

/** Pages for people: no key. */
export const pageRoutes = (features: Features): PageRoute[] => [
  ...sharedPageRoutes(features.sharedPage), // /shared/{token} /embedded/{token}
  ...playerFrameRoutes(features.sharedPage, features.appPage), // /player-frame
  ...unsubscribeRoutes(features.unsubscribe), // /unsubscribe
  ...homePageRoutes(features.home), //        /
  ...appPageRoutes(features.appPage), //      /login /setup /signup /reset /project/… /instance/…
]
