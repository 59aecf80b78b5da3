import { describe, expect, it } from 'vitest'
import { describeSettings, readConfig } from './config.ts'
import { usableMemory } from './lib/bytes/usable-memory.ts'

describe('readConfig', () => {
  it('holds the documented defaults', () => {
    expect(readConfig({ PATH: '/bin' })).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      dataDir: './data',
      rateLimits: false,
      logLevel: 'info',
      publicUrl: null,
      trustProxy: [],
    })
  })
  it('drops the slash at the end of the public address and splits lists', () => {
    const config = readConfig({ HEDGEROW_PUBLIC_URL: 'https://a.example/x/', HEDGEROW_TRUST_PROXY: '10.0.0.1, ::1' })
    expect([config.publicUrl, config.trustProxy]).toEqual(['https://a.example/x', ['10.0.0.1', '::1']])
  })
  it.each([
    ['HEDGEROW_PORT', '80x'],
    ['HEDGEROW_PORT', '65536'],
    ['HEDGEROW_API_KEY', 'short'],
    ['HEDGEROW_API_KEY', 'with a space in it, long'],
    ['HEDGEROW_PROJECT_TOKEN', 'short'],
    ['HEDGEROW_PUBLIC_URL', 'ftp://x'],
    ['HEDGEROW_RATE_LIMITS', 'maybe'],
    ['HEDGEROW_LOG_LEVEL', 'loud'],
    ['HEDGEROW_LOG_FORMAT', 'xml!'],
    ['HEDGEROW_MIN_FREE_FOR_EVENTS', '200 megs'],
    ['HEDGEROW_CAPTURE_BATCH_BYTES', '0MB'],
    ['HEDGEROW_SQL_URL', 'mysql://x'],
    ['HEDGEROW_DATA_DIR', ' '],
    ['HEDGEROW_SMTP_URL', 'http://user:pass@mail.example'],
    ['HEDGEROW_SMTP_URL', 'mail.example:25'],
    ['HEDGEROW_MAIL_FROM', 'reports'],
    ['HEDGEROW_SLACK_TOKEN', 'xoxb'],
    ['HEDGEROW_PUBLIC_URL', 'https://stats.example/base?a=1'],
    ['HEDGEROW_PUBLIC_URL', 'https://stats.example/base#f'],
    ['HEDGEROW_PUBLIC_URL', 'https://user:word@stats.example'],
    ['HEDGEROW_TRUST_PROXY', 'nonsense'],
    ['HEDGEROW_TRUST_PROXY', '10.0.0.1,192.168.0.0/33'],
    ['HEDGEROW_WEBHOOK_ALLOW', 'http://x y'],
    ['HEDGEROW_CAPTURE_EVENT_BYTES', '0'],
    ['HEDGEROW_CAPTURE_QUEUED_EVENTS', '0'],
  ])('stops on a malformed %s and names it, never its value', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `))
    if (value.trim().length > 3) expect(() => readConfig({ [name]: value })).not.toThrow(new RegExp(value))
  })
  it('takes sizes with and without a unit, and says what one looks like', () => {
    const config = readConfig({
      HEDGEROW_MIN_FREE_FOR_EVENTS: '200MB',
      HEDGEROW_MIN_FREE_FOR_RECORDINGS: '0',
      HEDGEROW_CAPTURE_BATCH_BYTES: '1.5 MiB',
      HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: '100000000',
    })
    expect(config).toMatchObject({
      minFreeForEvents: 200_000_000,
      minFreeForRecordings: 0,
      captureBatchBytes: 1_572_864,
      captureBytesInFlight: 100_000_000,
    })
    expect(() => readConfig({ HEDGEROW_MIN_FREE_FOR_EVENTS: '200 megs' })).toThrow(
      /^HEDGEROW_MIN_FREE_FOR_EVENTS must be a number of bytes, or one with a unit, such as 200MB, 1\.5GB or 512MiB\.$/,
    )
  })
  it('gives the event store a quarter of the memory there is, at least 256 MB, or what is set', () => {
    expect(readConfig({}).eventsMemory).toBe(Math.max(256_000_000, Math.floor(usableMemory() / 4)))
    expect(readConfig({ HEDGEROW_EVENTS_MEMORY: '1.5GB' }).eventsMemory).toBe(1_500_000_000)
    expect(() => readConfig({ HEDGEROW_EVENTS_MEMORY: '1MB' })).toThrow(
      /^HEDGEROW_EVENTS_MEMORY must be at least 64MB, such as 512MB or 4GB\.$/,
    )
    expect(() => readConfig({ HEDGEROW_EVENTS_MEMORY: 'much' })).toThrow(/^HEDGEROW_EVENTS_MEMORY must be a number/)
  })
  it('leaves the format of the log to the terminal unless it is set', () => {
    expect(readConfig({}).logFormat).toBeNull()
    expect(readConfig({ HEDGEROW_LOG_FORMAT: 'json' }).logFormat).toBe('json')
    expect(readConfig({ HEDGEROW_LOG_FORMAT: 'pretty' }).logFormat).toBe('pretty')
  })
  it('takes addresses, networks and their names, and hosts with a port', () => {
    const trusted = '10.0.0.0/8, ::1, fd00::/8, loopback'
    const config = readConfig({
      HEDGEROW_TRUST_PROXY: trusted,
      HEDGEROW_WEBHOOK_ALLOW: 'hooks.lan, 10.0.0.5:8080, ::1',
    })
    expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1', 'fd00::/8', 'loopback'])
    expect(config.webhookAllow).toEqual(['hooks.lan', '10.0.0.5:8080', '::1'])
  })
  it('wants a sender beside a mail server, and neither without the other being wrong otherwise', () => {
    const smtp = { HEDGEROW_SMTP_URL: 'smtps://user:word@mail.example:465' }
    expect(() => readConfig(smtp)).toThrow(/^HEDGEROW_MAIL_FROM must be set beside HEDGEROW_SMTP_URL/)
    expect(() => readConfig(smtp)).not.toThrow(/word|mail\.example/)
    const config = readConfig({ ...smtp, HEDGEROW_MAIL_FROM: 'Acme <reports@example.com>' })
    expect([config.smtpUrl, config.mailFrom]).toEqual([smtp.HEDGEROW_SMTP_URL, 'Acme <reports@example.com>'])
    expect(readConfig({ HEDGEROW_MAIL_FROM: 'reports@example.com' }).smtpUrl).toBeNull()
  })
  it('is described without anything secret', () => {
    const env = {
      HEDGEROW_API_KEY: 'phx_0123456789_very_secret',
      HEDGEROW_SECRET: '0123456789_very_secret_too',
      HEDGEROW_METRICS_TOKEN: '0123456789_secret_as_well',
      HEDGEROW_SMTP_URL: 'smtps://ann:password@mail.example:465',
      HEDGEROW_MAIL_FROM: 'reports@example.com',
      HEDGEROW_MIN_FREE_FOR_EVENTS: '1GB',
    }
    const described = describeSettings(readConfig(env))
    expect(described).toMatchObject({
      HEDGEROW_PORT: 8000,
      HEDGEROW_API_KEY: '(set)',
      HEDGEROW_SLACK_TOKEN: null,
      HEDGEROW_SMTP_URL: 'smtps://mail.example:465',
      HEDGEROW_MIN_FREE_FOR_EVENTS: 1_000_000_000,
    })
    expect(JSON.stringify(described)).not.toMatch(/secret_|very_|password|ann/)
  })
  it('stops on a setting it does not know', () => {
    expect(() => readConfig({ HEDGEROW_PROT: '1' })).toThrow(/^HEDGEROW_PROT is not a setting of Hedgerow/)
  })
})
