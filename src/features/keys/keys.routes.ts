/** /api/personal_api_keys/: managing keys with a key. */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { Answer, type Route, route } from '../../http/route.ts'
import { Nothing, Page } from '../../http/schema.ts'
import { parseInstant } from '../../lib/time/time.ts'
import { KEY_EXAMPLE, KeyBody, KeyPatch, NewKeyBody } from './keys.schema.ts'
import type { Keys } from './keys.ts'

const base = {
  level: 'account',
  tag: 'personal_api_keys',
  own: true,
  noCors: true,
} as const
const itself = { none: 'a key may read and roll itself; to do so with others takes `*`' }
const params = Type.Object({ id: Type.String({ description: 'The id of a key, or @current.' }) })
const secret = (body: unknown) => new Answer(body, { headers: { 'cache-control': 'no-store' } })
const nonEmpty = <T>(list: T[] | null | undefined): T[] | null => (list?.length ? list : null)

export const keyRoutes = (keys: Keys): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/api/personal_api_keys/',
    scope: '*',
    summary: "List the user's keys",
    query: Type.Object(pageQuery()),
    response: Page(KeyBody),
    example: { count: 1, next: null, previous: null, results: [KEY_EXAMPLE] },
    handler: async ({ caller, query, url }) => {
      const all = await keys.list(caller)
      const page = readPage(query)
      return pageOf(url, page, all.length, all.slice(page.offset, page.offset + page.limit))
    },
  }),
  route({
    ...base,
    method: 'POST',
    path: '/api/personal_api_keys/',
    scope: '*',
    asksAgain: true,
    summary: 'Make a key',
    description: 'The secret is in `value`, this once. Scopes, confinement and expiry must lie within the caller’s.',
    body: NewKeyBody,
    status: 201,
    response: KeyBody,
    example: { ...KEY_EXAMPLE, value: 'phx_…' },
    idempotent: { secret: ['value'] },
    handler: async ({ caller, body, remember }) => {
      const input = {
        label: body.label,
        scopes: body.scopes,
        scopedTeams: nonEmpty(body.scoped_teams),
        scopedOrganizations: nonEmpty(body.scoped_organizations),
        expiresAt: body.expires_at == null ? null : parseInstant(body.expires_at, 'expires_at'),
      }
      return secret(await keys.create(caller, input, remember))
    },
  }),
  route({
    ...base,
    method: 'GET',
    path: '/api/personal_api_keys/:id/',
    scope: itself,
    summary: 'Read a key',
    params,
    response: KeyBody,
    example: KEY_EXAMPLE,
    handler: ({ caller, params }) => keys.retrieve(caller, params.id),
  }),
  route({
    ...base,
    method: 'PATCH',
    path: '/api/personal_api_keys/:id/',
    scope: '*',
    asksAgain: true,
    summary: 'Change the label or the scopes of a key',
    params,
    body: KeyPatch,
    response: KeyBody,
    example: KEY_EXAMPLE,
    handler: ({ caller, params, body: { label, scopes } }) =>
      keys.update(caller, params.id, { ...(label === undefined ? {} : { label }), ...(scopes ? { scopes } : {}) }),
  }),
  route({
    ...base,
    method: 'DELETE',
    path: '/api/personal_api_keys/:id/',
    scope: '*',
    asksAgain: true,
    summary: 'Delete a key',
    params,
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ caller, params }) => {
      await keys.remove(caller, params.id)
      return null
    },
  }),
  route({
    ...base,
    method: 'POST',
    path: '/api/personal_api_keys/:id/roll/',
    scope: itself,
    asksAgain: true,
    summary: 'Replace the secret of a key',
    description: 'The new secret is in `value`, this once; the old one is dead at once.',
    params,
    response: KeyBody,
    example: { ...KEY_EXAMPLE, value: 'phx_…' },
    handler: async ({ caller, params }) => secret(await keys.roll(caller, params.id)),
  }),
]
