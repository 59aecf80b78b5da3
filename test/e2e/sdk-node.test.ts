/** The real posthog-node, unmodified, against the started program: what it sends is there when it says so. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PostHog } from 'posthog-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Running, removeFolder, start, tempFolder } from '../support/program.ts'
import { type ApiClient, apiClient } from '../support/servers/api-client.ts'

const KEY = 'phx_e2e_node_sdk_0123456789'
const TOKEN = 'phc_e2e_node_sdk_0123456789'

let folder: string
let server: Running
let api: ApiClient
beforeAll(async () => {
  folder = tempFolder()
  server = await start(folder, { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
  api = apiClient(server.url, KEY)
})
afterAll(async () => {
  await server?.stop()
  removeFolder(folder)
})

// The client also reports what it prints by its `error` events.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const client = (options: ConstructorParameters<typeof PostHog>[1] = {}, host = server.url, token = TOKEN) =>
  new PostHog(token, { host, flushAt: 20, flushInterval: 60_000, fetchRetryDelay: 20, ...options })

/** Works with a client and ends it: when that resolves, everything was accepted. */
async function using(posthog: PostHog, work: (posthog: PostHog) => unknown): Promise<Error[]> {
  const problems: Error[] = []
  posthog.on('error', (error: Error) => void problems.push(error))
  await work(posthog)
  await posthog.shutdown()
  return problems
}

const person = async (distinctId: string) => {
  const found = await api.personOf(distinctId)
  if (!found) throw new Error(`There is no person ${distinctId}.`)
  return found
}

describe('posthog-node', () => {
  it('captures: the person is there with its properties, the event counts', async () => {
    const problems = await using(client(), (posthog) => {
      posthog.capture({
        distinctId: 'ada',
        event: 'signed up',
        properties: { plan: 'pro', $set: { email: 'ada@example.com' } },
      })
    })
    expect(problems).toEqual([])
    const ada = await person('ada')
    expect(ada).toMatchObject({ distinct_ids: ['ada'], properties: { email: 'ada@example.com' } })
    expect(await api.eventCount(ada.id)).toBe(1)
    expect(await api.eventCount(ada.id, 'signed up')).toBe(1)
  })
  it('identifies: $set counts, $set_once only once', async () => {
    await using(client(), (posthog) => {
      posthog.identify({ distinctId: 'grace', properties: { $set: { name: 'Grace' }, $set_once: { first: 1 } } })
      posthog.identify({ distinctId: 'grace', properties: { $set: { name: 'Grace H.' }, $set_once: { first: 2 } } })
    })
    const grace = await person('grace')
    expect(grace.properties).toMatchObject({ name: 'Grace H.', first: 1 })
    expect(await api.eventCount(grace.id, '$identify')).toBe(2)
  })
  it('aliases: two ids are one person, and their events are together', async () => {
    await using(client(), (posthog) => {
      posthog.capture({ distinctId: 'visitor-7', event: 'looked around' })
      posthog.capture({ distinctId: 'linus', event: 'signed in' })
      posthog.alias({ distinctId: 'linus', alias: 'visitor-7' })
    })
    const linus = await person('linus')
    expect([...linus.distinct_ids].sort()).toEqual(['linus', 'visitor-7'])
    expect((await person('visitor-7')).id).toBe(linus.id)
    expect(await api.eventCount(linus.id)).toBe(3)
  })
  it('identifies groups without touching the person', async () => {
    const problems = await using(client(), (posthog) => {
      posthog.capture({ distinctId: 'mary', event: 'joined', groups: { company: 'acme' } })
      posthog.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 }, distinctId: 'mary' })
    })
    expect(problems).toEqual([])
    const mary = await person('mary')
    expect(mary.properties).not.toHaveProperty('seats')
    expect(await api.eventCount(mary.id, '$groupidentify')).toBe(1)
  })
  it('sends in batches, all of them stored when it has shut down', async () => {
    const problems = await using(client({ flushAt: 25 }), (posthog) => {
      for (let count = 0; count < 260; count++)
        posthog.capture({ distinctId: 'batcher', event: 'tick', properties: { count } })
    })
    expect(problems).toEqual([])
    expect(await api.eventCount((await person('batcher')).id, 'tick')).toBe(260)
  })
  it('sends uncompressed, at once, and from long ago', async () => {
    await using(client({ disableCompression: true }), (posthog) => posthog.capture({ distinctId: 'plain', event: 'x' }))
    await using(client(), (posthog) => posthog.captureImmediate({ distinctId: 'plain', event: 'x' }))
    await using(client({ historicalMigration: true }), (posthog) => {
      posthog.capture({ distinctId: 'plain', event: 'x', timestamp: new Date(Date.now() - 3_600_000) })
    })
    expect(await api.eventCount((await person('plain')).id, 'x')).toBe(3)
  })
  it('speaks its newer protocol', async () => {
    vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1')
    const problems = await using(client(), (posthog) => {
      posthog.capture({ distinctId: 'newer', event: 'x', properties: { $set: { plan: 'free' } } })
    })
    expect(problems).toEqual([])
    const newer = await person('newer')
    expect(newer.properties).toMatchObject({ plan: 'free' })
    expect(await api.eventCount(newer.id, 'x')).toBe(1)
  })
  it('gets no feature flags, and that is not an error', async () => {
    const problems = await using(client(), async (posthog) => {
      expect(await posthog.getAllFlags('ada')).toEqual({})
      expect(await posthog.isFeatureEnabled('anything', 'ada')).toBeUndefined()
    })
    expect(problems).toEqual([])
  })
  it('evaluates flags by itself: it loads that there are none, and the payload of one is nothing', async () => {
    const loaded: unknown[] = []
    const problems = await using(client({ personalApiKey: KEY }), async (posthog) => {
      posthog.on('localEvaluationFlagsLoaded', (count: number) => void loaded.push(count))
      await posthog.reloadFeatureFlags()
      expect(loaded).toContain(0)
      expect(await posthog.getAllFlags('ada', { onlyEvaluateLocally: true })).toEqual({})
      expect(await posthog.getRemoteConfigPayload('some-flag')).toBeNull()
    })
    expect(problems).toEqual([])
  })
  it('learns that the key with which it asks for flags is wrong', async () => {
    const problems = await using(client({ personalApiKey: 'phx_nobody_has_this_one' }), (posthog) =>
      posthog.reloadFeatureFlags(),
    )
    expect(problems.map(({ message }) => message).join()).toContain('secret key is invalid')
  })
  it('learns at once that its token is wrong', async () => {
    const problems = await using(client({}, server.url, 'phc_nobody_has_this_one'), (posthog) => {
      posthog.capture({ distinctId: 'nobody', event: 'x' })
    })
    expect(problems.map(({ message }) => message).join()).toContain('401')
    expect(await api.personOf('nobody')).toBeNull()
  })
})

describe('posthog-node behind a server that is not always there', () => {
  let proxy: Server
  let host: string
  /** What to do with the next requests; the rest are passed on. */
  let plan: ('refuse' | 'pass, then say 503')[] = []
  let passed: string[] = []

  const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }
  beforeAll(async () => {
    proxy = createServer(async (incoming, outgoing) => {
      const body = await bodyOf(incoming)
      const step = plan.shift()
      const unavailable = () => outgoing.writeHead(503, { 'retry-after': '1' }).end('transient error, please retry')
      if (step === 'refuse') return unavailable()
      passed.push(incoming.url ?? '')
      const { method = 'GET', headers } = incoming
      const onward = request(`${server.url}${incoming.url}`, { method, headers }, (answer) => {
        if (step) return answer.resume().on('end', unavailable)
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      onward.end(body)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    host = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => proxy.close(resolve)))

  it.each([
    ['was refused', ['refuse'], 1],
    ['was refused twice', ['refuse', 'refuse'], 1],
    ['was stored although the answer said otherwise', ['pass, then say 503'], 2],
  ] as const)('tries again what %s, and it counts once', async (name, steps, arrivals) => {
    plan = [...steps]
    passed = []
    const problems = await using(client({}, host), (posthog) => {
      for (let count = 0; count < 5; count++) posthog.capture({ distinctId: name, event: 'retried' })
    })
    expect(problems).toEqual([])
    expect(plan).toEqual([])
    expect(passed).toEqual(Array(arrivals).fill('/batch/'))
    expect(await api.eventCount((await person(name)).id, 'retried')).toBe(5)
  })
})
