/**
 * A server that is killed right after it has done what was requested, before it could answer: the same request under
 * the same Idempotency-Key returns what the first answer would have been, and does nothing twice.
 */
import { expect, it } from 'vitest'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { SMALLEST } from '../../support/deliveries/subscription.ts'
import { makeRecording } from '../../support/make.ts'
import { start, useFolder } from '../../support/program.ts'

const folder = useFolder()
const PRELOAD = new URL('../../support/kill-after-commit.cjs', import.meta.url).pathname
const API = '/api/environments/1'
const WEBHOOK = { ...SMALLEST, target_type: 'webhook', target_value: 'https://hooks.example.com/x' }
const SESSION = '019cb8b8-21e8-70cf-819e-c77695c9dd93'
const SHARING = `${API}/session_recordings/${SESSION}/sharing/`

interface Case {
  table: string
  path: string
  body: unknown
  /** Where the created object is listed, and in what. */
  list?: string
  items?: string
  secret?: string
}

const CASES: Case[] = [
  { table: 'subscriptions', path: `${API}/subscriptions/`, body: WEBHOOK, secret: 'signing_secret' },
  { table: 'insights', path: `${API}/insights/`, body: { name: 'Mine' } },
  { table: 'dashboards', path: `${API}/dashboards/`, body: { name: 'Mine' } },
  { table: 'projects', path: '/api/projects/', body: { name: 'Mine' } },
  {
    table: 'personal_api_keys',
    path: '/api/personal_api_keys/',
    body: { label: 'Mine', scopes: ['*'] },
    secret: 'value',
  },
  {
    table: 'sharing_passwords',
    path: `${SHARING}passwords/`,
    body: { note: 'Mine' },
    list: SHARING,
    items: 'share_passwords',
    secret: 'password',
  },
]

/** Asks a server of this process. */
async function inProcess<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await makeApp({ dataDir: folder() })
  try {
    return await work(app)
  } finally {
    await app.end()
  }
}

async function idsOf(app: TestApp, { path, list = `${path}?limit=1000`, items = 'results' }: Case): Promise<unknown[]> {
  return (await app.call('GET', list)).json()[items].map(({ id }: { id: unknown }) => id)
}

it('every route that honours the key is tried here', async () => {
  const { paths } = await inProcess(async (app) => (await app.call('GET', '/api/schema/')).json())
  const honouring = Object.entries<Record<string, { parameters?: { $ref?: string }[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.values(methods).some(({ parameters }) =>
        parameters?.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey'),
      )
        ? [path]
        : [],
  )
  const plain = (path: string) => path.replace(/\{project_id\}|environments\/1\//g, '…').replace(/…\/?/, '')
  const tried = CASES.map(({ path }) => plain(path.replace(SESSION, '{recording_id}')))
  expect(honouring.map((path) => plain(path.replace('environments/', ''))).sort()).toEqual(tried.sort())
})

it.each(CASES)('what was added to $table before the kill exists once, and is returned', async (one) => {
  const before = await inProcess(async (app) => {
    // The killed server uses the real time.
    app.clock.set(Date.now())
    await makeRecording(app, { sessionId: SESSION })
    await app.call('PATCH', SHARING, { body: { enabled: true, password_required: true } })
    return idsOf(app, one)
  })

  const killed = await start(folder(), { nodeArgs: ['--require', PRELOAD], env: { KILL_AFTER: one.table } })
  const headers = { authorization: `Bearer ${ROOT_KEY}`, 'idempotency-key': 'once' }
  const asked = fetch(`${killed.url}${one.path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(one.body),
  })
  await expect(asked).rejects.toThrow(TypeError)

  await inProcess(async (app) => {
    app.clock.set(Date.now())
    const again = await app.call('POST', one.path, { body: one.body, headers })
    const secret = one.secret ? { [one.secret]: null } : {}
    expect([again.statusCode, again.headers['idempotent-replayed'], again.json()]).toEqual([
      201,
      'true',
      expect.objectContaining({ id: expect.anything(), ...secret }),
    ])
    const added = (await idsOf(app, one)).filter((id) => !before.includes(id))
    expect(added).toEqual([again.json().id])
  })
})
