/**
 * Makes the fixture of a data folder as this version of the program leaves it, killed with a batch still in the outbox:
 * `npx tsx test/support/data-folder/make-data-folder.ts NAME` writes `test/fixtures/data-folders/NAME/`, each file of the folder packed by
 * gzip, and `expected.json` beside them: what the API answered. A fixture is made before a store's format changes, and
 * `test/api/operation/data-folders.test.ts` opens it with every later version.
 */
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../app.ts'
import { testClock } from '../clock.ts'
import { requestsOf, send } from '../replay/replay.ts'

/** Tuesday, in the days when the recordings of the fixtures were made. */
const NOW = Date.UTC(2026, 10, 17, 12)
const SESSION_ID = '019a8a00-0000-7000-8000-000000000001'

/** What a later version must answer the same. */
const ASKED = [
  'persons/?limit=1000',
  'persons/1/activity/',
  'persons/1/properties_timeline/',
  'persons/deletion_status/',
  'persons/values/?key=plan',
  'events/?limit=1000',
  'session_recordings/?date_from=-7d',
  'sessions/values/?key=$entry_current_url',
  'subscriptions/',
  'insights/1/?refresh=force_blocking',
  'dashboards/1/',
  'ingestion_warnings/',
]

async function capture(app: TestApp): Promise<void> {
  const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString()
  const batch = Array.from({ length: 200 }, (_, i) => ({
    event: i % 3 === 0 ? '$pageview' : 'order placed',
    distinct_id: `visitor-${i % 20}`,
    timestamp: at(i),
    properties: {
      amount: i,
      $current_url: `https://shop.example/${i % 5}`,
      ...(i < 40 ? { $session_id: SESSION_ID } : {}),
      $set: { plan: i % 2 ? 'pro' : 'free', email: `visitor-${i % 20}@example.com` },
    },
  }))
  const more = [
    { event: '$identify', distinct_id: 'jane@example.com', properties: { $anon_distinct_id: 'visitor-1' } },
    { event: '$create_alias', distinct_id: 'visitor-2', properties: { alias: 'second-id' } },
    { event: 'long', distinct_id: 'visitor-3', properties: { text: 'é"\\👩'.repeat(4_000) } },
    { event: 'x'.repeat(300), distinct_id: '' },
  ]
  await send(app, { api_key: PROJECT_TOKEN, batch: [...batch, ...more] }, '/batch/')
  for (const body of requestsOf('recording-posthog-js.jsonl')) {
    const own = JSON.parse(JSON.stringify(body).replaceAll('phc_testtoken0001', PROJECT_TOKEN))
    await send(app, own, '/s/')
  }
}

async function change(app: TestApp): Promise<void> {
  const post = (path: string, body: unknown) => app.call('POST', `/api/environments/1/${path}`, { body })
  const found = await app.call('GET', '/api/environments/1/persons/?distinct_id=jane@example.com')
  const jane = found.json().results[0].id
  await post(`persons/${jane}/split/`, { main_distinct_id: 'jane@example.com' })
  await app.call('PATCH', '/api/environments/1/persons/1/', { body: { properties: { note: 'changed by hand' } } })
  await app.call('DELETE', '/api/environments/1/persons/6/', { query: { delete_events: 'true' } })
  await post('subscriptions/', {
    target_type: 'webhook',
    target_value: 'https://hooks.example.com/in',
    frequency: 'weekly',
    start_date: '2026-11-16T08:00:00Z',
    title: 'Weekly numbers',
  })
  await app.call('POST', '/api/projects/', { body: { name: 'Second' } })
}

/** In a process of its own: fills the folder, records the answers, and ends as a kill does. */
async function fill(dataDir: string, out: string): Promise<void> {
  const app = await makeApp({ dataDir, clock: testClock(NOW) })
  await capture(app)
  await change(app)
  const answers: Record<string, unknown> = {}
  for (const path of ASKED) answers[path] = (await app.call('GET', `/api/environments/1/${path}`)).json()
  const second = (await app.call('GET', '/api/projects/2/')).json().api_token
  await app.close()
  const again = await makeApp({ dataDir, clock: testClock(NOW) })
  await send(again, { api_key: second, event: 'late', distinct_id: 'late', properties: {} }, '/i/v0/e/')
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify({ now: NOW, answers }, null, 1)}\n`)
  process.kill(process.pid, 'SIGKILL')
}

function pack(dataDir: string, out: string): void {
  for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    if (!statSync(join(dataDir, path)).isFile() || /\.lock|-shm$/.test(path)) continue
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, `${path}.gz`), gzipSync(readFileSync(join(dataDir, path)), { level: 9 }))
  }
}

const [name = '', dataDir, out] = process.argv.slice(2)
if (dataDir && out) await fill(dataDir, out)
else {
  if (!name) throw new Error('Give the fixture a name.')
  const target = new URL(`../../fixtures/data-folders/${name}/`, import.meta.url).pathname
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-fixture-'))
  mkdirSync(target, { recursive: true })
  const child = fork(new URL(import.meta.url).pathname, [name, folder, target], { execArgv: process.execArgv })
  child.on('close', () => {
    pack(folder, target)
    rmSync(folder, { recursive: true })
  })
}
