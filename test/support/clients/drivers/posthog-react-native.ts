/** posthog-react-native under Node: its own class with a storage and fetch given, React Native itself stood in for. */
import type { Drive, Expected } from '../drive.ts'

type Method = (...args: unknown[]) => unknown
type MobileClient = Record<string, Method | undefined>
type MobileClass = { new (token: string, options: object): MobileClient; initAsync?: Method }

/** Version 2 asks for its storage by another name. */
function storage() {
  const items = new Map<string, string>()
  const store = {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
  }
  return { customAsyncStorage: store, customStorage: store }
}

export async function driveReactNative({ client, host, token, step, untilSent }: Drive): Promise<Expected> {
  const { PostHog } = client.load<{ PostHog: MobileClass }>()
  const options = { host, flushAt: 5, flushInterval: 60_000, captureAppLifecycleEvents: false, ...storage() }
  const made = PostHog.initAsync ? await PostHog.initAsync(token, options) : new PostHog(token, options)
  const posthog = made as MobileClient
  const has = (name: string): boolean => typeof posthog[name] === 'function'
  await posthog.ready?.()
  const anonymousId = String(posthog.getDistinctId?.())
  const events: Record<string, number> = { bought: 12, $screen: 1, $identify: 1, $create_alias: 1, $groupidentify: 1 }

  await step('capture', () => {
    for (let count = 0; count < 12; count++) posthog.capture?.('bought', { count })
  })
  await step('screen', () => posthog.screen?.('Basket', { items: 2 }))
  await step('identify', () => posthog.identify?.('ada', { name: 'Ada' }))
  await step('alias', () => posthog.alias?.('ada-on-the-phone'))
  await step('group', () => posthog.group?.('company', 'acme', { seats: 5 }))
  await step('flags', () => posthog.reloadFeatureFlagsAsync?.())
  if (has('getSurveys')) await step('surveys', () => posthog.getSurveys?.())
  if (has('captureException')) {
    events.$exception = 1
    await step('exception', () => posthog.captureException?.(new Error('thorns')))
  }
  await step('flush', () => untilSent(events, () => (posthog.flushAsync ?? posthog.flush)?.call(posthog)))
  await step('shutdown', () => (posthog.shutdownAsync ?? posthog.shutdown)?.call(posthog))
  return { events, onePerson: [anonymousId, 'ada', 'ada-on-the-phone'] }
}
