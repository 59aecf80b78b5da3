/** n8n's PostHog node: its class, run by a host that hands it parameters and sends its requests as n8n does. */
import type { Drive, Expected } from '../drive.ts'

interface NodeRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
}

interface NodeClass {
  prototype: { execute(this: object): Promise<{ json: { error?: string } }[][]> }
}

/** The request that n8n makes when somebody enters the credentials. */
interface CredentialsClass {
  new (): { test: { request: { url: string; method: string; body: object } } }
}

type Parameters = Record<string, unknown>

async function send({ method, url, headers, body }: NodeRequest): Promise<unknown> {
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return JSON.parse(text)
}

/** What the node asks of n8n: the items, the parameters of each, the credentials. */
const hostFor = (drive: Drive, items: Parameters[]) => ({
  getInputData: () => items,
  getNodeParameter: (name: string, index: number) => items[index]?.[name],
  getCredentials: async () => ({ url: drive.host, apiKey: drive.token }),
  getNode: () => ({ name: 'PostHog' }),
  continueOnFail: () => false,
  helpers: {
    request: send,
    returnJsonArray: (answers: unknown[]) => answers.map((json) => ({ json })),
  },
})

async function testCredentials({ client, host, token }: Drive): Promise<void> {
  const { PostHogApi } = client.load<{ PostHogApi: CredentialsClass }>('dist/credentials/PostHogApi.credentials.js')
  const { url, method, body } = new PostHogApi().test.request
  const headers = { 'content-type': 'application/json' }
  await send({ method, url: `${host}${url}`, headers, body: { ...body, api_key: token } })
}

export async function driveN8n(drive: Drive): Promise<Expected> {
  const { PostHog } = drive.client.load<{ PostHog: NodeClass }>('dist/nodes/PostHog/PostHog.node.js')
  const execute = (resource: string, operation: string, items: Parameters[]) =>
    PostHog.prototype.execute.call(
      hostFor(
        drive,
        items.map((item) => ({ resource, operation, ...item })),
      ),
    )
  const additionalFields = { propertiesUi: { propertyValues: [{ key: 'plan', value: 'paid' }] } }
  const ada = { distinctId: 'ada', additionalFields }

  await drive.step('credentials', () => testCredentials(drive))
  await drive.step('event', () =>
    execute(
      'event',
      'create',
      Array.from({ length: 30 }, () => ({ ...ada, eventName: 'bought' })),
    ),
  )
  await drive.step('identity', () => execute('identity', 'create', [ada]))
  await drive.step('alias', () => execute('alias', 'create', [{ ...ada, alias: 'visitor', additionalFields: {} }]))
  await drive.step('page', () => execute('track', 'page', [{ ...ada, name: 'Basket' }]))
  await drive.step('screen', () => execute('track', 'screen', [{ ...ada, name: 'Basket' }]))
  return {
    events: { bought: 30, $identify: 1, $create_alias: 1, $page: 1, $screen: 1 },
    onePerson: ['ada', 'visitor'],
  }
}
