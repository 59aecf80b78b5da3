/** /activity_log/, /persons/activity/ and /persons/{id}/activity/. */
import { type Static, Type } from 'typebox'
import { isWhole, wholeCsv } from '../../http/output/output-format.ts'
import { CUT_SHORT, MAX_LIMIT, pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Call, type Route, route } from '../../http/route.ts'
import type { PageRequest } from '../../model/page.ts'
import type { ActivityEntries, ActivityFeature, ActivityView } from './activity.feature.ts'
import { ACTIVITY_COLUMNS, ACTIVITY_EXAMPLE, ActivityPage } from './activity.schema.ts'

const DEFAULT_LIMIT = 10
const WHOLE = 'As CSV the whole result is sent unless limit or page is given.'

const csv = { fileName: 'activity', columns: ACTIVITY_COLUMNS, rows: (body: { results: unknown[] }) => body.results }
const base = {
  method: 'GET',
  level: 'project',
  scope: 'activity_log:read',
  response: ActivityPage,
  example: { count: 1, next: null, previous: null, results: [ACTIVITY_EXAMPLE], total_count: 1 },
  csv,
} as const

const numbered = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Entries per page: ${DEFAULT_LIMIT} unless given, at most ${MAX_LIMIT}. ${CUT_SHORT}`,
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the page, from 1.' })),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Index of the first entry, instead of a page: after one that was cut short.',
    }),
  ),
})

interface Numbered extends PageRequest {
  /** Null when it begins where another page was cut short. */
  page: number | null
}

/** A page number too large to count exactly is beyond the end of any log. */
function readNumbered(query: Static<typeof numbered>): Numbered {
  const { limit, offset } = readPage(query, DEFAULT_LIMIT)
  if (query.offset !== undefined) return { limit, page: null, offset }
  const page = query.page ?? 1
  return { limit, page, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

function linkTo(url: URL, page: number, limit: number): string {
  const link = new URL(url)
  link.searchParams.set('page', String(page))
  link.searchParams.set('limit', String(limit))
  return link.href
}

function withoutPage(url: URL): URL {
  const link = new URL(url)
  link.searchParams.delete('page')
  return link
}

function answer(url: URL, asked: Numbered, { total, items }: { total: number; items: ActivityView[] }) {
  const { limit, page, offset } = asked
  const linked = { ...pageOf(withoutPage(url), asked, total, items), total_count: total }
  if (page === null) return linked
  const previous = page > 1 ? linkTo(url, page - 1, limit) : null
  const isCutShort = items.length < limit && offset + items.length < total
  if (isCutShort) return { ...linked, previous }
  return { ...linked, next: offset + limit < total ? linkTo(url, page + 1, limit) : null, previous }
}

async function answerNumbered(
  { query, url, format }: Pick<Call<unknown, Static<typeof numbered>>, 'query' | 'url' | 'format'>,
  entries: ActivityEntries,
) {
  if (isWhole(format, query.limit, query.page, query.offset)) return wholeCsv(csv, entries.walk)
  const page = readNumbered(query)
  if (format === 'csv') return wholeCsv(csv, entries.walkPage(page))
  return answer(url, page, await entries.page(page))
}

export const activityRoutes = (activity: ActivityFeature): Route[] => [
  route({
    ...base,
    path: '/activity_log/',
    tag: 'activity_log',
    summary: 'What was done in a project, newest first',
    description:
      'Also shows what concerns its organization as a whole, unless the key is confined to projects. As CSV the whole result is sent unless limit or offset is given.',
    query: Type.Object({
      ...pageQuery(),
      scope: Type.Optional(Type.String({ description: 'The kind of object, such as Person or Subscription.' })),
      item_id: Type.Optional(Type.String({ description: 'The id of an object.' })),
      user: Type.Optional(Type.String({ description: 'The id or the UUID of the user who did it.' })),
    }),
    handler: async ({ project, caller, query, url, format }) => {
      const entries = activity.ofProject(project, caller, query)
      if (isWhole(format, query.limit, query.offset)) return wholeCsv(csv, entries.walk)
      const page = readPage(query)
      if (format === 'csv') return wholeCsv(csv, entries.walkPage(page))
      const { total, items } = await entries.page(page)
      return { ...pageOf(url, page, total, items), total_count: total }
    },
  }),
  route({
    ...base,
    path: '/persons/activity/',
    tag: 'persons',
    summary: 'What was done to all persons, newest first',
    description: `Including persons that are deleted by now, without what was changed in them. ${WHOLE}`,
    query: numbered,
    handler: async (call) => answerNumbered(call, activity.ofPersons(call.project)),
  }),
  route({
    ...base,
    path: '/persons/:id/activity/',
    tag: 'persons',
    summary: 'What was done to a person, newest first',
    description: WHOLE,
    params: Type.Object({ id: Type.String({ description: 'The integer id or the UUID of a person.' }) }),
    query: numbered,
    handler: async (call) => answerNumbered(call, await activity.ofPerson(call.project, call.params.id)),
  }),
]
