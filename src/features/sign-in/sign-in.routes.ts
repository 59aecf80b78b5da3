/** Signing in and out: /_preflight/, /api/login/, /logout, /api/signup/, /api/reset/, and the user's own sign-ins. */
import { Type } from 'typebox'
import { endedCookie, signInCookie, signInSecret } from '../../http/access/sign-in-cookie.ts'
import { Answer, type Call, type Route, route } from '../../http/route.ts'
import { Body, Choice, DateTime, Line, Nothing, Nullable } from '../../http/schema.ts'
import { invalid, required } from '../../lib/errors.ts'
import type { SignInFeature } from './sign-in.feature.ts'
import { type Admission, onlySignedIn, type Visitor } from './sign-ins.ts'

const Secret = (description: string) => Type.String({ maxLength: 10_000, description })

const LogInBody = Body({
  email: Type.Optional(Type.String({ maxLength: 400 })),
  password: Type.Optional(Secret('With `email`.')),
  personal_api_key: Type.Optional(Secret('In place of both. The sign-in then has exactly the rights of the key.')),
})

const SignUpBody = Body({
  token: Secret('What stands behind `#` in the link.'),
  password: Type.Optional(Secret('Uses the link. Without it the answer only tells what the link is for.')),
  first_name: Type.Optional(Line({ maxLength: 150 })),
})

const ResetBody = Body({ email: Type.String({ minLength: 1, maxLength: 400 }) })

const LinkBody = Type.Object({
  purpose: Choice(['setup', 'reset']),
  target_email: Type.String(),
  organization_name: Nullable(Type.String()),
})

const SignInBody = Type.Object({
  id: Type.String(),
  via: Choice(['password', 'link', 'key']),
  user_agent: Type.String(),
  ip: Type.String(),
  is_current: Type.Boolean({ description: 'The one that asks.' }),
  created_at: DateTime(),
  last_used_at: DateTime({ description: 'Noted once an hour.' }),
  expires_at: DateTime({ description: 'When it ends if it is not used any more.' }),
})

const SIGN_IN_EXAMPLE = {
  id: 'kT4bV8nZ1cY6d7mQ2pXw9R',
  via: 'password',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ip: '192.0.2.7',
  is_current: true,
  created_at: '2026-03-04T11:00:00Z',
  last_used_at: '2026-03-04T11:00:00Z',
  expires_at: '2026-03-18T11:00:00Z',
}

const tag = 'sign_in'
const PRIVATE = { 'cache-control': 'no-store' }
const open = { level: 'public', tag, noCors: true, ownPagesOnly: true } as const
const own = { level: 'account', tag, noCors: true, own: true, admit: onlySignedIn } as const
const anyone = { none: 'for who has not signed in yet' }
const signedIn = { none: 'about the sign-in itself' }
const OTHER_PAGE = { 403: 'The request does not come from a page of this server.' }

const visitorOf = ({ ip, headers, url }: Call): Visitor => ({
  ip,
  userAgent: typeof headers['user-agent'] === 'string' ? headers['user-agent'] : '',
  present: signInSecret(headers.cookie as string | undefined, url),
})

const admitted = ({ url }: Call, { secret, lifeSeconds }: Admission, status: number): Answer =>
  new Answer(
    { success: true },
    { status, headers: { ...PRIVATE, 'set-cookie': signInCookie(url, secret, lifeSeconds) } },
  )

const publicRoutes = (feature: SignInFeature): Route[] => [
  route({
    method: 'GET',
    level: 'public',
    path: '/_preflight/',
    scope: anyone,
    tag,
    summary: 'Whether a user has a password, and whether mails can be sent',
    response: Type.Object({ initiated: Type.Boolean(), email_service_available: Type.Boolean() }),
    example: { initiated: true, email_service_available: false },
    handler: () => feature.preflight(),
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/login/',
    scope: anyone,
    summary: 'Sign in, or prove again who is signed in',
    description:
      'By password, or by a personal API key. The answer sets a cookie, which counts as a key would, in requests of this server’s own pages.',
    body: LogInBody,
    response: Type.Object({ success: Type.Boolean() }),
    example: { success: true },
    errors: { ...OTHER_PAGE, 429: 'Too many failed attempts (`too_many_failed_attempts`).' },
    handler: async (call) => {
      const { email, password, personal_api_key: key } = call.body
      if (key !== undefined) return admitted(call, await feature.byKey(key, visitorOf(call)), 200)
      if (email === undefined) throw required('email')
      if (password === undefined) throw required('password')
      return admitted(call, await feature.byPassword(email, password, visitorOf(call)), 200)
    },
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/signup/',
    scope: anyone,
    summary: 'What a one-time link is for; with a password: use it',
    body: SignUpBody,
    response: Type.Union([LinkBody, Type.Object({ success: Type.Boolean() })]),
    example: { purpose: 'setup', target_email: 'ann@example.com', organization_name: 'Default organization' },
    sameBodyStatuses: { 201: 'The link was used, and the browser is signed in.' },
    errors: OTHER_PAGE,
    handler: async (call) => {
      const { token, password, first_name } = call.body
      if (password === undefined) {
        if (first_name !== undefined) throw invalid('A name is given together with a password.', 'first_name')
        return new Answer(await feature.links.read(token), { headers: PRIVATE })
      }
      const given = { password, ...(first_name === undefined ? {} : { firstName: first_name }) }
      return admitted(call, await feature.links.use(token, given, visitorOf(call)), 201)
    },
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/reset/',
    scope: anyone,
    summary: 'Have a link to a new password sent by mail',
    description:
      'The answer is the same whether a user has the address or not, and whether mails can be sent or not (see `/_preflight/`).',
    body: ResetBody,
    status: 204,
    response: Nothing,
    example: null,
    errors: { ...OTHER_PAGE, 429: 'Too many links were asked for.' },
    handler: async ({ body, ip }) => {
      await feature.askForReset(body.email, ip)
      return null
    },
  }),
]

export const signInRoutes = (feature: SignInFeature): Route[] => [
  ...publicRoutes(feature),
  route({
    ...own,
    method: 'POST',
    path: '/logout/',
    scope: signedIn,
    summary: 'Sign out',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ caller, url }) => {
      await feature.signIns.end(caller, caller.credential.id)
      const headers = { 'set-cookie': endedCookie(url), 'clear-site-data': '"cache", "storage"' }
      return new Answer(null, { headers })
    },
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/users/@me/login_sessions/',
    scope: signedIn,
    summary: 'Where the user is signed in',
    response: Type.Array(SignInBody),
    example: [SIGN_IN_EXAMPLE],
    handler: ({ caller }) => feature.signIns.list(caller),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/users/@me/login_sessions/:id/',
    scope: signedIn,
    summary: 'End a sign-in',
    params: Type.Object({ id: Type.String({ description: 'The id of a sign-in.' }) }),
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ caller, params }) => {
      await feature.signIns.end(caller, params.id)
      return null
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/users/@me/login_sessions/revoke_others/',
    scope: signedIn,
    summary: 'End all other sign-ins of the user',
    response: Type.Object({ revoked_count: Type.Integer() }),
    example: { revoked_count: 2 },
    handler: async ({ caller }) => ({ revoked_count: await feature.signIns.endOthers(caller) }),
  }),
]
