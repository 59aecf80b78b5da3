/**
 * Environment → one typed, frozen Config. Nothing else reads settings. An unknown or malformed
 * HEDGEROW_* setting stops the start with a message that names the setting, never its value.
 */
import { isIP } from 'node:net'
import { parseByteSize } from './lib/bytes/byte-size.ts'
import { usableMemory } from './lib/bytes/usable-memory.ts'
import { OperatorError } from './lib/errors.ts'
import { readSender } from './lib/net/mail-address.ts'
import { isHost } from './lib/net/safe-url.ts'

type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'
type LogFormat = 'json' | 'pretty'

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The first key and token; used on an empty store only. */
  readonly apiKey: string | null
  readonly projectToken: string | null
  /** Without a trailing slash. */
  readonly publicUrl: string | null
  /** Addresses of proxies whose forwarded headers are trusted. */
  readonly trustProxy: readonly string[]
  readonly sqlUrl: string | null
  readonly eventsUrl: string | null
  readonly blobsUrl: string | null
  readonly smtpUrl: string | null
  /** The sender of mail: `Name <address>` or the address alone. Set whenever `smtpUrl` is. */
  readonly mailFrom: string | null
  /** Of the bot that writes to Slack channels. */
  readonly slackToken: string | null
  readonly secret: string | null
  /** Webhook hosts exempt from the guard against private addresses. */
  readonly webhookAllow: readonly string[]
  readonly metricsToken: string | null
  readonly rateLimits: boolean
  /** False: no web app is served. */
  readonly webApp: boolean
  /** Bytes of one capture request as it is received: a single event, a batch, a replay block. */
  readonly captureEventBytes: number
  readonly captureBatchBytes: number
  readonly captureReplayBytes: number
  /** Bytes of one capture request after inflating. */
  readonly captureInflatedBytes: number
  /** Bytes of all capture requests in memory at once. */
  readonly captureBytesInFlight: number
  /** Events waiting for the next commit. */
  readonly captureQueuedEvents: number
  /** Batches waiting for the event store, beyond which capture answers 503. */
  readonly outboxRows: number
  /** Bytes that the embedded event store may use; what takes more is spilled to disk. */
  readonly eventsMemory: number
  /** Free bytes on the data folder's disk below which recordings, then events, are no longer accepted. */
  readonly minFreeForRecordings: number
  readonly minFreeForEvents: number
  readonly logLevel: LogLevel
  /** Null: pretty on a terminal, otherwise JSON. */
  readonly logFormat: LogFormat | null
}

type Reader<T> = (text: string) => T

class SettingProblem extends Error {}

const refuse = (sentence: string): never => {
  throw new SettingProblem(sentence)
}

const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const HOPS = ['loopback', 'linklocal', 'uniquelocal']

/** An address, a network such as `10.0.0.0/8`, or a name for a group of networks. */
function isNetwork(text: string): boolean {
  if (HOPS.includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

const networks: Reader<string[]> = (value) => {
  const items = list(value)
  return items.every(isNetwork) ? items : refuse('must be addresses or networks (10.0.0.0/8) with commas between them')
}

const hosts: Reader<string[]> = (value) => {
  const items = list(value)
  return items.every(isHost) ? items : refuse('must be hosts (hooks.lan, 10.0.0.5:8080) with commas between them')
}

const port: Reader<number> = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : refuse('must be a port between 0 and 65535')

const secretText: Reader<string> = (value) =>
  value.length >= 20 && /^[\x21-\x7e]+$/.test(value)
    ? value
    : refuse('must have at least 20 characters, all printable ASCII without spaces')

const onOff: Reader<boolean> = (value) => {
  if (/^(on|true|1)$/i.test(value)) return true
  if (/^(off|false|0)$/i.test(value)) return false
  return refuse('must be on or off')
}

const httpUrl: Reader<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : refuse('must be an http or https URL')
  if (!/^https?:$/.test(url.protocol)) refuse('must be an http or https URL')
  if (url.search || url.hash || url.username || url.password || /[?#]/.test(value)) {
    refuse('must be an address and a path alone')
  }
  return value.replace(/\/+$/, '')
}

const urlOf =
  (...schemes: string[]): Reader<string> =>
  (value) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))
      ? value
      : refuse(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)

/** It may name several hosts, which makes it no URL to others; stores/clickhouse reads the rest. */
const clickhouseUrl: Reader<string> = (value) =>
  /^clickhouse:\/\/\S+$/.test(value) ? value : refuse('must be a URL that begins with clickhouse://')

const logLevel: Reader<LogLevel> = (value) =>
  ['silent', 'error', 'warn', 'info', 'debug'].includes(value)
    ? (value as LogLevel)
    : refuse('must be silent, error, warn, info or debug')

const logFormat: Reader<LogFormat> = (value) =>
  value === 'json' || value === 'pretty' ? value : refuse('must be json or pretty')

const SIZE = 'must be a number of bytes, or one with a unit, such as 200MB, 1.5GB or 512MiB'

const bytes: Reader<number> = (value) => parseByteSize(value) ?? refuse(SIZE)

const someBytes: Reader<number> = (value) => (bytes(value) > 0 ? bytes(value) : refuse(`${SIZE}, and more than 0`))

/** With less the engine cannot sort the rows of a few batches. */
const LEAST_MEMORY = 64_000_000

const memory: Reader<number> = (value) =>
  bytes(value) >= LEAST_MEMORY ? bytes(value) : refuse('must be at least 64MB, such as 512MB or 4GB')

const DEFAULT_LEAST_MEMORY = 256_000_000

/** A quarter of what the process may use. */
const defaultMemory = (): number => Math.max(DEFAULT_LEAST_MEMORY, Math.floor(usableMemory() / 4))

const count: Reader<number> = (value) =>
  /^\d{1,15}$/.test(value) ? Number(value) : refuse('must be a whole number, not negative')

const positive: Reader<number> = (value) => (count(value) > 0 ? count(value) : refuse('must be a whole number above 0'))

const sender: Reader<string> = (value) =>
  readSender(value) === null ? refuse('must be an e-mail address, or a name and <address>') : value.trim()

const smtpUrl: Reader<string> = (value) => {
  const url = urlOf('smtp', 'smtps')(value)
  return new URL(url).hostname === '' ? refuse('must name a host') : url
}

const filled: Reader<string> = (value) => (value.trim() === '' ? refuse('must not be empty') : value)

/** All settings: variable, reader, default. */
const SETTINGS = {
  host: ['HEDGEROW_HOST', filled, '127.0.0.1'],
  port: ['HEDGEROW_PORT', port, 8000],
  dataDir: ['HEDGEROW_DATA_DIR', filled, './data'],
  apiKey: ['HEDGEROW_API_KEY', secretText, null],
  projectToken: ['HEDGEROW_PROJECT_TOKEN', secretText, null],
  publicUrl: ['HEDGEROW_PUBLIC_URL', httpUrl, null],
  trustProxy: ['HEDGEROW_TRUST_PROXY', networks, []],
  sqlUrl: ['HEDGEROW_SQL_URL', urlOf('postgres', 'postgresql'), null],
  eventsUrl: ['HEDGEROW_EVENTS_URL', clickhouseUrl, null],
  blobsUrl: ['HEDGEROW_BLOBS_URL', urlOf('s3'), null],
  smtpUrl: ['HEDGEROW_SMTP_URL', smtpUrl, null],
  mailFrom: ['HEDGEROW_MAIL_FROM', sender, null],
  slackToken: ['HEDGEROW_SLACK_TOKEN', secretText, null],
  secret: ['HEDGEROW_SECRET', secretText, null],
  webhookAllow: ['HEDGEROW_WEBHOOK_ALLOW', hosts, []],
  metricsToken: ['HEDGEROW_METRICS_TOKEN', secretText, null],
  rateLimits: ['HEDGEROW_RATE_LIMITS', onOff, false],
  webApp: ['HEDGEROW_WEB_APP', onOff, true],
  captureEventBytes: ['HEDGEROW_CAPTURE_EVENT_BYTES', someBytes, 2_000_000],
  captureBatchBytes: ['HEDGEROW_CAPTURE_BATCH_BYTES', someBytes, 20_000_000],
  captureReplayBytes: ['HEDGEROW_CAPTURE_REPLAY_BYTES', someBytes, 25_000_000],
  captureInflatedBytes: ['HEDGEROW_CAPTURE_INFLATED_BYTES', someBytes, 64_000_000],
  captureBytesInFlight: ['HEDGEROW_CAPTURE_BYTES_IN_FLIGHT', someBytes, 100_000_000],
  captureQueuedEvents: ['HEDGEROW_CAPTURE_QUEUED_EVENTS', positive, 20_000],
  outboxRows: ['HEDGEROW_OUTBOX_ROWS', count, 5_000],
  eventsMemory: ['HEDGEROW_EVENTS_MEMORY', memory, defaultMemory()],
  minFreeForRecordings: ['HEDGEROW_MIN_FREE_FOR_RECORDINGS', bytes, 1_000_000_000],
  minFreeForEvents: ['HEDGEROW_MIN_FREE_FOR_EVENTS', bytes, 200_000_000],
  logLevel: ['HEDGEROW_LOG_LEVEL', logLevel, 'info'],
  logFormat: ['HEDGEROW_LOG_FORMAT', logFormat, null],
} as const satisfies Record<keyof Config, readonly [string, Reader<unknown>, unknown]>

const SETTING_NAMES: readonly string[] = Object.values(SETTINGS).map(([name]) => name)

export function readConfig(env: Record<string, string | undefined>): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('HEDGEROW_') && !SETTING_NAMES.includes(name)) {
      throw new OperatorError(`${name} is not a setting of Hedgerow. The settings are: ${SETTING_NAMES.join(', ')}.`)
    }
  }
  const entries = Object.entries(SETTINGS).map(([field, [name, read, fallback]]) => {
    const value = env[name]
    if (value === undefined) return [field, fallback]
    try {
      return [field, read(value)]
    } catch (cause) {
      if (cause instanceof SettingProblem) throw new OperatorError(`${name} ${cause.message}.`)
      throw cause
    }
  })
  const read = Object.fromEntries(entries) as Config
  // Elsewhere they take only the space of their rows here.
  const isElsewhere = read.blobsUrl !== null && env.HEDGEROW_MIN_FREE_FOR_RECORDINGS === undefined
  const config = Object.freeze({ ...read, ...(isElsewhere && { minFreeForRecordings: read.minFreeForEvents }) })
  if (config.smtpUrl !== null && config.mailFrom === null) {
    throw new OperatorError('HEDGEROW_MAIL_FROM must be set beside HEDGEROW_SMTP_URL: it is who mail comes from.')
  }
  return config
}

const SECRETS: readonly (keyof Config)[] = ['apiKey', 'projectToken', 'slackToken', 'secret', 'metricsToken']
const WITH_PASSWORD: readonly (keyof Config)[] = ['sqlUrl', 'eventsUrl', 'blobsUrl', 'smtpUrl']

function shown(field: keyof Config, value: Config[keyof Config]): unknown {
  if (value === null) return null
  if (SECRETS.includes(field)) return '(set)'
  if (!WITH_PASSWORD.includes(field)) return value
  const [, scheme, hosts] = /^([a-z0-9+]+:)\/\/(?:[^@/?#]*@)?([^/?#]*)/i.exec(String(value)) ?? []
  return `${scheme}//${hosts}`
}

/** Every setting by its variable, for the operator: of secrets only whether they are set, of URLs scheme and host. */
export const describeSettings = (config: Config): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(SETTINGS).map(([field, [name]]) => {
      const key = field as keyof Config
      return [name, shown(key, config[key])]
    }),
  )
