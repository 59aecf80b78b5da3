/**
 * Somebody who is signed in, as long as nobody can be: the page's boot data are put in on the way to the browser, requests
 * to the API carry a key, and what the API does not have yet (signing in and out, sign-ins, usage, the live stream) is
 * answered here. All else is the real server. This file goes when signing in is there.
 */
import type { BrowserContext, Route } from 'playwright-core'
import type { SignedIn } from '../../../src/features/app-page/boot-data.ts'
import { PROJECT_TOKEN, ROOT_KEY } from '../app.ts'

export const ANN: SignedIn = {
  user: { uuid: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2b', email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
  via: 'password',
  theme_mode: 'system',
  scopes: ['*'],
  current_project: 1,
  projects: [
    {
      id: 1,
      name: 'Garden shop </script>',
      api_token: PROJECT_TOKEN,
      timezone: 'Europe/Berlin',
      organization: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2c',
      ingested_event: false,
      level: 15,
      scopes: ['*'],
    },
  ],
  project_count: 1,
}

const agent = (system: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36`
const signIn = (id: string, system: string, is_current: boolean) => ({
  id,
  created_at: '2026-11-01T08:00:00Z',
  last_used_at: '2026-11-17T08:00:00Z',
  expires_at: null,
  user_agent: agent(system),
  ip: '192.0.2.7',
  via: 'password',
  is_current,
})

const USAGE = {
  first_event_at: null,
  last_event_at: null,
  events: 12_345,
  persons: 321,
  recordings: 4,
  recordings_bytes: 1_200_000_000,
  events_last_hour: 3,
  warnings_last_day: 1,
}

/** What a path that is missing answers, by method and end of the path. */
const MISSING: [method: string, path: RegExp, status: number, body: unknown][] = [
  ['GET', /\/_preflight\/$/, 200, { initiated: true, email_service_available: true }],
  ['POST', /\/api\/reset\/$/, 204, null],
  ['POST', /\/logout$/, 204, null],
  ['GET', /\/login_sessions\/$/, 200, [signIn('a', 'X11; Linux x86_64', true), signIn('b', 'Macintosh', false)]],
  ['POST', /\/login_sessions\/revoke_others\/$/, 200, { revoked_count: 1 }],
  ['GET', /\/usage\/$/, 200, USAGE],
]

const refusal = (code: string, detail: string) => ({ type: 'validation_error', code, detail, attr: null })

function answerSignIn(route: Route): Promise<void> {
  const body = route.request().postDataJSON() as Record<string, string>
  const isRight = body.password === 'correct horse battery' || body.personal_api_key === ROOT_KEY
  if (isRight) return route.fulfill({ status: 200, json: { success: true } })
  return route.fulfill({ status: 400, json: refusal('invalid_credentials', 'Your e-mail or password is incorrect.') })
}

function answerLink(route: Route): Promise<void> {
  const { token, password } = route.request().postDataJSON() as Record<string, string>
  if (token !== 'good')
    return route.fulfill({ status: 400, json: refusal('invalid_token', 'This link has been used.') })
  if (password !== undefined) return route.fulfill({ status: 201, json: { success: true } })
  const link = { purpose: 'setup', target_email: 'ann@example.com', organization_name: 'Acme' }
  return route.fulfill({ status: 200, json: link })
}

/** True when it was answered. */
async function answerMissing(route: Route): Promise<boolean> {
  const request = route.request()
  const { pathname } = new URL(request.url())
  if (pathname.endsWith('/api/login/')) await answerSignIn(route)
  else if (pathname.endsWith('/api/signup/')) await answerLink(route)
  else {
    const found = MISSING.find(([method, path]) => method === request.method() && path.test(pathname))
    if (!found) return false
    await route.fulfill({ status: found[2], ...(found[3] === null ? {} : { json: found[3] }) })
  }
  return true
}

const BOOT = /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s

async function answerPage(route: Route, who: SignedIn | null): Promise<void> {
  const response = await route.fetch()
  const text = await response.text()
  const body = text.replace(BOOT, (_, before: string, data: string, after: string) => {
    const boot = { ...JSON.parse(data), signed_in: who, version: who && '0.1.0' }
    return before + JSON.stringify(boot).replaceAll('<', '\\u003c') + after
  })
  await route.fulfill({ response, body })
}

export interface Pretence {
  /** Who the next page is for; null: nobody. */
  who: SignedIn | null
  /** What every request to the API is answered instead of by the server; null: nothing. */
  instead: ((route: Route) => Promise<void>) | null
}

/** Everything of `context` that goes to `address`. */
export async function pretendSignedIn(context: BrowserContext, address: string): Promise<Pretence> {
  const pretence: Pretence = { who: ANN, instead: null }
  await context.route(`${address}/**`, async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.resourceType() === 'document') {
      return pathname.startsWith('/api/') ? route.continue() : answerPage(route, pretence.who)
    }
    const isApi = pathname.startsWith('/api/') || pathname === '/_preflight/' || pathname === '/logout'
    if (!isApi) return route.continue()
    if (pretence.instead) return pretence.instead(route)
    if (await answerMissing(route)) return
    return route.continue({ headers: { ...request.headers(), authorization: `Bearer ${ROOT_KEY}` } })
  })
  return pretence
}
