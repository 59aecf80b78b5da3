/**
 * Programs for the client that oazapfts generates: a function for each operation, which gives back status and data.
 * They are compiled and run beside the generated `api.ts`.
 */

const CREATE_CLIENT = `
import * as api from './api.js'

const [, , baseUrl = '', key = '', person = '', other = '', recording = ''] = process.argv
api.defaults.baseUrl = baseUrl
api.defaults.headers = { authorization: \`Bearer \${key}\` }
const project = '@current'
`

export const OAZAPFTS_PROGRAM = `${CREATE_CLIENT}
const statuses: Record<string, number> = {}

/** The answer of one status; the types tell what its data is. */
async function call<A extends { status: number }, S extends A['status']>(name: string, status: S, answer: Promise<A>) {
  const got = await answer
  statuses[name] = got.status
  if (got.status !== status) throw new Error(name + ': ' + JSON.stringify(got))
  return got as Extract<A, { status: S }>
}

const { data: read } = await call('persons_retrieve', 200, api.personsRetrieve(project, person))
const { data: changed } = await call(
  'persons_partial_update',
  200,
  api.personsPartialUpdate(project, person, { properties: { plan: 'paid' } }),
)
const { data: updated } = await call(
  'persons_update_property_create',
  200,
  api.personsUpdatePropertyCreate(project, person, { key: 'seats', value: 5 }),
)
const { data: removed } = await call(
  'persons_delete_property_create',
  200,
  api.personsDeletePropertyCreate(project, person, { $unset: 'old' }),
)
const { data: split } = await call(
  'persons_split_create',
  200,
  api.personsSplitCreate(project, person, { main_distinct_id: 'ada' }),
)
const { data: timeline } = await call(
  'persons_properties_timeline_retrieve',
  200,
  api.personsPropertiesTimelineRetrieve(project, person),
)
const { data: activity } = await call(
  'persons_activity_retrieve',
  200,
  api.personsActivityRetrieve(project, person, { limit: 2 }),
)
const { data: allActivity } = await call(
  'persons_all_activity_retrieve',
  200,
  api.personsAllActivityRetrieve(project),
)
await call('persons_destroy', 204, api.personsDestroy(project, other, { deleteEvents: true }))
const missing = await api.personsRetrieve(project, other)

const { data: recorded } = await call(
  'session_recordings_retrieve',
  200,
  api.sessionRecordingsRetrieve(project, recording),
)
const { data: given } = await call(
  'session_recordings_partial_update',
  200,
  api.sessionRecordingsPartialUpdate(project, recording, { person: Number(person), viewed: true }),
)
const { data: sharing } = await call(
  'session_recordings_sharing_retrieve',
  200,
  api.sessionRecordingsSharingRetrieve(project, recording),
)
await call('session_recordings_destroy', 204, api.sessionRecordingsDestroy(project, recording))

const { data: definitions } = await call(
  'sessions_property_definitions_retrieve',
  200,
  api.sessionsPropertyDefinitionsRetrieve(project, { isNumerical: true }),
)
const { data: values } = await call(
  'sessions_values_retrieve',
  200,
  api.sessionsValuesRetrieve(project, { key: '$entry_utm_source' }),
)

const { data: created } = await call(
  'subscriptions_create',
  201,
  api.subscriptionsCreate(project, {
    insight: 1,
    target_type: 'email',
    target_value: 'ada@example.com',
    frequency: 'weekly',
    byweekday: ['monday'],
    start_date: '2026-03-05T09:00:00Z',
  }),
)
const { data: retrieved } = await call('subscriptions_retrieve', 200, api.subscriptionsRetrieve(project, created.id))
const { data: listed } = await call('subscriptions_list', 200, api.subscriptionsList(project, { limit: 10 }))

// Each of these says what the compiler knows: the build fails when a type is lost. A recording that a sharing token
// opens has fewer fields.
const name: string = read.name
const distinctIds: string[] = changed.distinct_ids
const success: boolean[] = [updated.success, removed.success, split.success]
const left: string[][] = split.split.map(({ distinct_ids }) => distinct_ids)
const points: number[] = timeline.points.map(({ relevant_event_count }) => relevant_event_count)
const activities: string[] = activity.results.map((entry) => entry.activity)
const allActivities: number = allActivity.count
const refusal: string | undefined = missing.status === 404 ? missing.data.detail : undefined
const clicks: number = 'click_count' in recorded ? recorded.click_count : Number.NaN
const viewed: boolean = given.viewed
const owner: number | null | undefined = given.person?.id
const enabled: boolean = sharing.enabled
const token: string = sharing.access_token
const numeric: string[] = definitions.results.map((definition) => definition.name)
const sources: { name: string; count: number }[] = values.results
const weekdays: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null | undefined =
  retrieved.byweekday
const next: string | null = created.next_delivery_date
const ids: number[] = listed.results.map(({ id }) => id)

const plan: unknown = changed.properties.plan
const properties: Record<string, unknown> = removed.person.properties
console.log(
  JSON.stringify({
    statuses, name, plan, distinctIds, success, properties, left, points, activities, allActivities, refusal,
    refusedWith: missing.status, clicks, viewed, owner, enabled, token, numeric, sources, weekdays, next,
    same: retrieved.id === created.id, listed: listed.count, ids: ids.map((id) => id === created.id),
  }),
)
`

/** Each line is wrong in one way. */
export const OAZAPFTS_WRONG = {
  before: CREATE_CLIENT,
  lines: [
    'await api.noSuchThingRetrieve(project)',
    'await api.personsRetrieve(project)',
    "await api.personsPartialUpdate(project, person, { properties: 'text' })",
    "await api.subscriptionsList(project, { limit: 'ten' })",
    "await api.subscriptionsCreate(project, { frequency: 'hourly', target_type: 'email', target_value: 'a@example.com', start_date: '2026-03-05' })",
  ],
}
