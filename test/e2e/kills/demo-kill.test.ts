/** `serve --demo`, killed while it fills the project: the next one completes it. */
import { expect, it } from 'vitest'
import { makeShop } from '../../../src/demo/shop.ts'
import { launch, run, start, useFolder } from '../../support/program.ts'
import { storeSettings } from '../../support/stores/stores.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'

const folder = useFolder()

/** Kills the first filling as soon as it reports this many events. */
async function killAfter(events: number): Promise<void> {
  const env = {
    HEDGEROW_DATA_DIR: folder(),
    ...(await storeSettings(folder())),
    HEDGEROW_PORT: '0',
    HEDGEROW_API_KEY: KEY,
  }
  const child = launch(['serve', '--demo'], { env })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
    if (said.includes(`Demo: ${events} of`)) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.on('close', resolve))
  expect(child.signalCode).toBe('SIGKILL')
}

it('is completed by the next start', async () => {
  await killAfter(2_000)
  let server = await start(folder(), { args: ['--demo'], env: { HEDGEROW_API_KEY: KEY } })
  expect(server.stderr()).toContain('Demo: it was interrupted before and is made anew\n')
  const id = /Demo project +(\d+)/.exec(server.stdout())?.[1]
  const get = async (path: string) =>
    (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } })).json()
  const { results } = (await get('/api/projects/')) as { results: { name: string }[] }
  expect(results.map((project) => project.name)).toEqual(['Default project', 'Demo shop'])
  const made = (await get(`/api/environments/${id}/event_definitions/`)) as { results: { name: string }[] }
  expect(made.results.map((event) => event.name)).toContain('order placed')
  await server.stop()
  server = await start(folder(), { args: ['--demo'], env: { HEDGEROW_API_KEY: KEY } })
  expect(server.stderr()).not.toContain('Demo:')
  const { count } = (await get(`/api/environments/${id}/subscriptions/`)) as { count: number }
  expect(count).toBe(2)
  const query = { kind: 'TrendsQuery', dateRange: { date_from: '-90d' }, series: [{ kind: 'EventsNode', event: null }] }
  const answer = await fetch(`${server.url}/api/environments/${id}/query/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { results: trend } = (await answer.json()) as { results: { count: number }[] }
  // A day may have begun since; the number of events does not depend on it.
  expect(trend[0]?.count).toBe(makeShop(Date.now()).events.length)
})

it('ends with a message when the first user has no key', async () => {
  const server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY } })
  await server.stop()
  const env = {
    HEDGEROW_DATA_DIR: folder(),
    ...(await storeSettings(folder())),
    HEDGEROW_PORT: '0',
    HEDGEROW_API_KEY: KEY,
  }
  const { stdout } = await run(['keys', 'list'], { env })
  const id = stdout.split('\n')[1]?.split(' ')[0] ?? ''
  expect((await run(['keys', 'revoke', id, '--force'], { env })).code).toBe(0)
  const result = await run(['serve', '--demo'], { env })
  expect([result.code, result.stderr]).toEqual([
    1,
    'hedgerow: The demo needs a user with a key; "hedgerow keys create" makes one.\n',
  ])
})
