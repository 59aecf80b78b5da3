/** The demo is complete or made again: wherever it was interrupted, the next start ends with the same counts. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addDemo, type DemoParts } from '../../../src/demo/demo.ts'
import { rememberNothing } from '../../../src/http/route.ts'
import { OperatorError } from '../../../src/lib/errors.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

type Way = 'capture' | 'record' | 'subscribe'

/** The intake functions, one of which fails at its n-th use. */
function partsOf({ stores, features, clock }: TestApp, breaks?: { way: Way; at: number }): DemoParts {
  const uses = { capture: 0, record: 0, subscribe: 0 }
  const unlessBroken = (way: Way) => {
    uses[way] += 1
    if (way === breaks?.way && uses[way] === breaks.at) throw new Error('interrupted')
  }
  return {
    stores,
    now: clock.now(),
    capture: async (request) => {
      unlessBroken('capture')
      return features.capture.accept({ ...request, isPlain: false })
    },
    record: async (body) => {
      unlessBroken('record')
      const headers = { 'content-type': 'application/json' }
      const call = { method: 'POST', params: {}, query: {}, headers, ip: () => '', hold: () => {}, note: () => {} }
      return features.replay.accept({ ...call, body: Buffer.from(JSON.stringify(body)) })
    },
    subscribe: async (actor, body) => {
      unlessBroken('subscribe')
      return features.subscriptions.create(actor, body, rememberNothing)
    },
    progress: () => {},
  }
}

async function contents({ call, stores }: TestApp, project: number) {
  const count = async (path: string) =>
    (await call('GET', `/api/environments/${project}/${path}/`, { query: { limit: '1' } })).json().count
  return {
    events: await stores.events.countEvents(project),
    persons: await count('persons'),
    recordings: (await stores.blobs.list(`${project}/`)).length,
    subscriptions: await count('subscriptions'),
    insights: await count('insights'),
    dashboards: await count('dashboards'),
  }
}

const names = async (one: TestApp) =>
  (await one.call('GET', '/api/projects/')).json().results.map((project: { name: string }) => project.name)

it('is made again when it was interrupted, and kept when it was not', async () => {
  const whole = await addDemo(partsOf(app))
  const expected = await contents(app, whole.id)
  expect(expected).toMatchObject({ recordings: 6, subscriptions: 2, dashboards: 1 })
  expect(expected.events).toBeGreaterThan(5_000)
  const other = await makeApp()
  try {
    for (const breaks of [
      { way: 'capture', at: 3 },
      { way: 'record', at: 4 },
      { way: 'subscribe', at: 2 },
    ] as const) {
      await expect(addDemo(partsOf(other, breaks))).rejects.toThrow('interrupted')
      expect(await names(other)).toEqual(['Default project', 'Demo shop (unfinished)'])
    }
    const mended = await addDemo(partsOf(other))
    expect(await contents(other, mended.id)).toEqual(expected)
    expect(await names(other)).toEqual(['Default project', 'Demo shop'])
    for (const gone of [2, 3, 4]) {
      expect(await other.stores.events.countEvents(gone)).toBe(0)
      expect(await other.stores.blobs.list(`${gone}/`)).toEqual([])
    }
    expect(await addDemo(partsOf(other, { way: 'capture', at: 1 }))).toEqual(mended)
  } finally {
    await other.end()
  }
})

it('says what it needs: a first user with a key, in an organization', async () => {
  const [user] = await app.stores.users.list()
  await app.stores.transaction((tx) => tx.users.removeMemberships(user?.id ?? 0))
  await expect(addDemo(partsOf(app))).rejects.toThrow(
    new OperatorError('The demo needs a first user who is in an organization.'),
  )
  await app.stores.transaction((tx) => tx.keys.removeOfUser(user?.id ?? 0))
  const problem = await addDemo(partsOf(app)).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(OperatorError)
  expect((problem as Error).message).toMatch(/^The demo needs a user with a key/)
})
