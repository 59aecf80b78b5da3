/** Rows for the contract suites: users, projects, persons, insights, dashboards and subscriptions with plain defaults. */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../lib/ids.ts'
import type { ClearCursor, Project } from '../../model/accounts/project.ts'
import type { User } from '../../model/accounts/user.ts'
import type { Dashboard, NewDashboard } from '../../model/insights/dashboard.ts'
import type { Insight, NewInsight } from '../../model/insights/insight.ts'
import type { NewPerson, Person } from '../../model/persons/person.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { NewSubscription, Subscription } from '../../model/subscriptions/subscription.ts'

/** 2026-03-04T12:00:00Z */
export const NOW = 1_772_625_600_000

export const insertUser = (stores: SqlStores, email = 'ann@example.com'): Promise<User> =>
  stores.transaction((tx) =>
    tx.users.create({
      uuid: randomUUID(),
      distinctId: randomUUID(),
      email,
      firstName: 'Ann',
      lastName: '',
      currentProjectId: null,
      createdAt: NOW,
    }),
  )

/** The project itself need not be there. */
export const insertPerson = (
  stores: SqlStores,
  projectId: number,
  distinctIds: string[] = [],
  more: Partial<NewPerson> = {},
): Promise<Person> =>
  stores.transaction((tx) =>
    tx.persons.create(
      { projectId, uuid: randomUUID(), properties: {}, isIdentified: false, createdAt: 1_000, ...more },
      distinctIds,
    ),
  )

export const insertProject = (stores: SqlStores): Promise<Project> =>
  stores.transaction(async (tx) => {
    const organizationId = randomUUID()
    await tx.users.createOrganization({ id: organizationId, name: 'Acme', createdAt: NOW })
    const apiToken = `phc_${uuidV7(NOW)}`
    return tx.projects.create({
      name: 'A project',
      timezone: 'UTC',
      personDisplayNameProperties: null,
      sessionRecordingOptIn: true,
      captureConsoleLogOptIn: true,
      sessionRecordingRetentionPeriod: '30d',
      sessionRecordingQuotaBytes: null,
      eventsRetentionDays: null,
      autocaptureExceptionsOptIn: false,
      autocaptureWebVitalsOptIn: false,
      heatmapsOptIn: false,
      captureDeadClicks: false,
      anonymizeIps: true,
      organizationId,
      apiToken,
      uuid: randomUUID(),
      isDemo: false,
      createdAt: NOW,
    })
  })

export const newInsight = (input: Partial<NewInsight> & { projectId: number }): NewInsight => ({
  shortId: randomUUID().slice(0, 8),
  name: null,
  derivedName: null,
  description: null,
  query: null,
  filters: {},
  favorited: false,
  tags: [],
  order: null,
  createdAt: NOW,
  createdById: null,
  lastModifiedAt: NOW,
  lastModifiedById: null,
  deleted: false,
  ...input,
})

export const insertInsight = (
  stores: SqlStores,
  input: Partial<NewInsight> & { projectId: number },
): Promise<Insight> => stores.transaction((tx) => tx.insights.create(newInsight(input)))

export const newDashboard = (input: Partial<NewDashboard> & { projectId: number }): NewDashboard => ({
  name: null,
  description: '',
  pinned: false,
  tags: [],
  filters: {},
  creationMode: 'default',
  isDefault: false,
  createdAt: NOW,
  createdById: null,
  deleted: false,
  ...input,
})

export const insertDashboard = (
  stores: SqlStores,
  input: Partial<NewDashboard> & { projectId: number },
): Promise<Dashboard> => stores.transaction((tx) => tx.dashboards.create(newDashboard(input)))

type SubscriptionInput = Partial<NewSubscription> & { projectId: number; createdById: number }

export const newSubscription = (input: SubscriptionInput): NewSubscription => ({
  dashboardId: null,
  insightId: null,
  targetType: 'email',
  targetValue: 'ann@example.com',
  frequency: 'weekly',
  interval: 1,
  byweekday: null,
  bysetpos: null,
  count: null,
  startDate: NOW,
  untilDate: null,
  timezone: 'UTC',
  title: null,
  inviteMessage: null,
  createdAt: NOW,
  deleted: false,
  nextDeliveryDate: null,
  disabledAt: null,
  disabledReason: null,
  signingSecret: null,
  ...input,
})

export const insertSubscription = (stores: SqlStores, input: SubscriptionInput): Promise<Subscription> =>
  stores.transaction((tx) => tx.subscriptions.create(newSubscription(input)))

/** Removes a project with all its data; false when there was none. */
export async function insertRemovedProject(stores: SqlStores, projectId: number): Promise<boolean> {
  const found = await stores.transaction((tx) => tx.projects.markRemoved(projectId, NOW))
  const clear = (from: ClearCursor | null) => stores.relaxed((tx) => tx.projects.clear(projectId, from))
  for (let from = await clear(null); from !== null; ) from = await clear(from)
  await stores.transaction((tx) => tx.projects.forget(projectId))
  return found
}
