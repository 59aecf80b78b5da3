/**
 * Programs for the types that openapi-typescript generates, which openapi-fetch turns into a client: calls name a
 * method and a path. They are compiled and run beside the generated `api.ts`.
 */

const CREATE_CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [, , baseUrl = '', key = '', person = '', other = '', recording = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })
const project = { project_id: '@current' }
const one = { params: { path: { ...project, id: person } } }
`

export const OPENAPI_FETCH_PROGRAM = `${CREATE_CLIENT}
const statuses: Record<string, number> = {}

/** The data of a success. Where CSV is offered too, it may be text as far as types can tell. */
async function call<T>(name: string, answer: Promise<{ data?: T; error?: unknown; response: Response }>) {
  const { data, error, response } = await answer
  statuses[name] = response.status
  if (error !== undefined || typeof data === 'string') throw new Error(name + ': ' + JSON.stringify(error ?? data))
  return data as Exclude<T, string>
}

const read = await call('persons_retrieve', client.GET('/api/environments/{project_id}/persons/{id}/', one))
const changed = await call(
  'persons_partial_update',
  client.PATCH('/api/environments/{project_id}/persons/{id}/', { ...one, body: { properties: { plan: 'paid' } } }),
)
const updated = await call(
  'persons_update_property_create',
  client.POST('/api/environments/{project_id}/persons/{id}/update_property/', {
    ...one,
    body: { key: 'seats', value: 5 },
  }),
)
const removed = await call(
  'persons_delete_property_create',
  client.POST('/api/environments/{project_id}/persons/{id}/delete_property/', { ...one, body: { $unset: 'old' } }),
)
const split = await call(
  'persons_split_create',
  client.POST('/api/environments/{project_id}/persons/{id}/split/', { ...one, body: { main_distinct_id: 'ada' } }),
)
const timeline = await call(
  'persons_properties_timeline_retrieve',
  client.GET('/api/environments/{project_id}/persons/{id}/properties_timeline/', one),
)
const activity = await call(
  'persons_activity_retrieve',
  client.GET('/api/environments/{project_id}/persons/{id}/activity/', {
    params: { ...one.params, query: { limit: 2 } },
  }),
)
const allActivity = await call(
  'persons_all_activity_retrieve',
  client.GET('/api/environments/{project_id}/persons/activity/', { params: { path: project } }),
)
await call(
  'persons_destroy',
  client.DELETE('/api/environments/{project_id}/persons/{id}/', {
    params: { path: { ...project, id: other }, query: { delete_events: true } },
  }),
)
const missing = await client.GET('/api/environments/{project_id}/persons/{id}/', {
  params: { path: { ...project, id: other } },
})

const seen = { params: { path: { ...project, id: recording } } }
const recorded = await call(
  'session_recordings_retrieve',
  client.GET('/api/environments/{project_id}/session_recordings/{id}/', seen),
)
const given = await call(
  'session_recordings_partial_update',
  client.PATCH('/api/environments/{project_id}/session_recordings/{id}/', {
    ...seen,
    body: { person: Number(person), viewed: true },
  }),
)
const sharing = await call(
  'session_recordings_sharing_retrieve',
  client.GET('/api/environments/{project_id}/session_recordings/{recording_id}/sharing/', {
    params: { path: { ...project, recording_id: recording } },
  }),
)
await call(
  'session_recordings_destroy',
  client.DELETE('/api/environments/{project_id}/session_recordings/{id}/', seen),
)

const definitions = await call(
  'sessions_property_definitions_retrieve',
  client.GET('/api/environments/{project_id}/sessions/property_definitions/', {
    params: { path: project, query: { is_numerical: true } },
  }),
)
const values = await call(
  'sessions_values_retrieve',
  client.GET('/api/environments/{project_id}/sessions/values/', {
    params: { path: project, query: { key: '$entry_utm_source' } },
  }),
)

const created = await call(
  'subscriptions_create',
  client.POST('/api/environments/{project_id}/subscriptions/', {
    params: { path: project },
    body: {
      insight: 1,
      target_type: 'email',
      target_value: 'ada@example.com',
      frequency: 'weekly',
      byweekday: ['monday'],
      start_date: '2026-03-05T09:00:00Z',
    },
  }),
)
const retrieved = await call(
  'subscriptions_retrieve',
  client.GET('/api/environments/{project_id}/subscriptions/{id}/', {
    params: { path: { ...project, id: created.id } },
  }),
)
const listed = await call(
  'subscriptions_list',
  client.GET('/api/environments/{project_id}/subscriptions/', { params: { path: project, query: { limit: 10 } } }),
)

// Each of these says what the compiler knows: the build fails when a type is lost. A recording that a sharing token
// opens has fewer fields.
const name: string = read.name
const distinctIds: string[] = changed.distinct_ids
const success: boolean[] = [updated.success, removed.success, split.success]
const left: string[][] = split.split.map(({ distinct_ids }) => distinct_ids)
const points: number[] = timeline.points.map(({ relevant_event_count }) => relevant_event_count)
const activities: string[] = activity.results.map((entry) => entry.activity)
const allActivities: number = allActivity.count
const refusal: string | undefined = missing.error?.detail
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
    refusedWith: missing.response.status, clicks, viewed, owner, enabled, token, numeric, sources, weekdays, next,
    same: retrieved.id === created.id, listed: listed.count, ids: ids.map((id) => id === created.id),
  }),
)
`

/** Each line is wrong in one way. */
export const OPENAPI_FETCH_WRONG = {
  before: CREATE_CLIENT,
  lines: [
    "await client.GET('/api/environments/{project_id}/no_such_thing/', { params: { path: project } })",
    "await client.GET('/api/environments/{project_id}/persons/{id}/', { params: { path: project } })",
    "await client.PATCH('/api/environments/{project_id}/persons/{id}/', { ...one, body: { properties: 'text' } })",
    "await client.GET('/api/environments/{project_id}/subscriptions/', { params: { path: project, query: { limit: 'ten' } } })",
    "await client.POST('/api/environments/{project_id}/subscriptions/', { params: { path: project }, body: { frequency: 'hourly', target_type: 'email', target_value: 'a@example.com', start_date: '2026-03-05' } })",
  ],
}
