/** posthog-node 1 to 5 in a process of Node, by the calls that each release has. */
import type { Drive, Expected } from '../drive.ts'

type Method = (...args: unknown[]) => unknown
type NodeClient = Record<string, Method | undefined>
type NodeClass = new (token: string, options: object) => NodeClient

/** Before version 2 the class is the module itself. */
const classOf = (module: NodeClass | { PostHog: NodeClass }): NodeClass =>
  'PostHog' in module ? module.PostHog : module

const BATCH = 45

export async function drivePosthogNode({ client, host, token, key, step, untilSent }: Drive): Promise<Expected> {
  const PostHog = classOf(client.load())
  const options = { host, flushAt: 20, flushInterval: 60_000, personalApiKey: key, enableExceptionAutocapture: false }
  const posthog = new PostHog(token, options)
  const has = (name: string): boolean => typeof posthog[name] === 'function'
  const events: Record<string, number> = { bought: 3, tick: BATCH, $identify: 1, $create_alias: 1, $groupidentify: 1 }

  await step('capture', () => {
    for (let count = 0; count < 3; count++) {
      posthog.capture?.({ distinctId: 'ada', event: 'bought', properties: { count, $set: { plan: 'paid' } } })
    }
  })
  await step('batch', () => {
    for (let count = 0; count < BATCH; count++) posthog.capture?.({ distinctId: 'ada', event: 'tick' })
  })
  await step('identify', () => posthog.identify?.({ distinctId: 'ada', properties: { name: 'Ada' } }))
  await step('alias', () => posthog.alias?.({ distinctId: 'ada', alias: 'visitor' }))
  await step('group', () =>
    posthog.groupIdentify?.({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 } }),
  )
  await step('flags', async () => {
    await posthog.isFeatureEnabled?.('anything', 'ada')
    await posthog.getAllFlags?.('ada')
  })
  if (has('reloadFeatureFlags')) await step('local evaluation', () => posthog.reloadFeatureFlags?.())
  if (has('captureException')) {
    events.$exception = 1
    await step('exception', () => posthog.captureException?.(new Error('thorns'), 'ada'))
  }
  if (has('captureImmediate')) {
    events['at once'] = 1
    await step('capture at once', () => posthog.captureImmediate?.({ distinctId: 'ada', event: 'at once' }))
  }
  // Some releases make an exception, or send at once, without anything to wait for.
  await step('flush', () => untilSent(events, () => (posthog.flushAsync ?? posthog.flush)?.call(posthog)))
  await step('shutdown', () => (posthog.shutdownAsync ?? posthog.shutdown)?.call(posthog))
  return { events, onePerson: ['ada', 'visitor'] }
}
