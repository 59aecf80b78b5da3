/** deploy/compose.yaml, without a container engine: what it says to Hedgerow is read as Hedgerow reads it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { readClickhouseUrl } from '../../../src/stores/clickhouse/server/read-url.ts'
import { readS3Url } from '../../../src/stores/s3/read-url.ts'
import { readPostgresUrl } from '../../../src/stores/sql/postgres/connections/read-url.ts'
import { readDockerfile } from '../../support/deploy/dockerfile.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Service {
  image: string
  build?: string
  environment: Record<string, string>
  volumes: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  tmpfs?: string[]
}

const TEXT = read('deploy/compose.yaml')
const compose = parseYaml(TEXT) as { services: Record<string, Service>; volumes: Record<string, null> }
const { hedgerow, postgres, clickhouse, s3 } = compose.services as Record<string, Service>

/** As in the file, with a value for each name in braces. */
const fill = (text: string): string => text.replace(/\$\{(\w+):\?\}/g, (_, name: string) => givenFor(name))
const givenFor = (name: string): string =>
  name.endsWith('_URL') ? 'https://analytics.example.com' : `${name}-0123456789abcdef`
const settings = Object.fromEntries(
  Object.entries(hedgerow?.environment ?? {}).map(([name, value]) => [name, fill(value)]),
)

/** Of the Compose Specification, those that we use. */
const KEYS = {
  top: ['name', 'services', 'volumes'],
  service: [
    ...['build', 'image', 'restart', 'init', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'stop_grace_period'],
    ...['depends_on', 'environment', 'ports', 'volumes', 'shm_size', 'healthcheck', 'ulimits', 'command'],
  ],
  health: ['test', 'interval', 'timeout', 'retries'],
}

const unknown = (given: object | undefined, known: string[]): string[] =>
  Object.keys(given ?? {}).filter((key) => !known.includes(key))

describe('the compose file', () => {
  it('has four services and no key that Compose does not know', () => {
    expect(Object.keys(compose.services)).toEqual(['hedgerow', 'postgres', 'clickhouse', 's3'])
    expect(unknown(compose, KEYS.top)).toEqual([])
    for (const service of Object.values(compose.services)) {
      expect(unknown(service, KEYS.service)).toEqual([])
      expect(unknown(service.healthcheck, KEYS.health)).toEqual([])
    }
  })

  it('gives Hedgerow settings that it knows, and URLs that it can read', () => {
    const config = readConfig(settings)
    const sql = readPostgresUrl(config.sqlUrl ?? '')
    const events = readClickhouseUrl(config.eventsUrl ?? '')
    const blobs = readS3Url(config.blobsUrl ?? '')
    expect(JSON.stringify(sql)).toContain(givenFor('POSTGRES_PASSWORD'))
    expect(JSON.stringify(events)).toContain(givenFor('CLICKHOUSE_PASSWORD'))
    expect(JSON.stringify(blobs)).toContain(givenFor('S3_SECRET'))
    expect(() => readConfig({ ...settings, HEDGEROW_NO_SUCH: '1' })).toThrow('HEDGEROW_NO_SUCH')
  })

  it('names the same user, database and bucket to both sides of each store', () => {
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = postgres?.environment ?? {}
    const sql = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres/${POSTGRES_DB}?sslmode=disable`
    expect(hedgerow?.environment.HEDGEROW_SQL_URL).toBe(sql)
    const { CLICKHOUSE_USER, CLICKHOUSE_DB, CLICKHOUSE_PASSWORD } = clickhouse?.environment ?? {}
    const events = `clickhouse://${CLICKHOUSE_USER}:${CLICKHOUSE_PASSWORD}@clickhouse:8123/${CLICKHOUSE_DB}`
    expect(hedgerow?.environment.HEDGEROW_EVENTS_URL).toBe(events)
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, S3_BUCKET } = s3?.environment ?? {}
    const blobs = `s3://${AWS_ACCESS_KEY_ID}:${AWS_SECRET_ACCESS_KEY}@${S3_BUCKET}/hedgerow?endpoint=http://s3:8333`
    expect(hedgerow?.environment.HEDGEROW_BLOBS_URL).toBe(blobs)
  })

  it('has every secret from the environment, and env.example names each', () => {
    const secret = /PASSWORD|SECRET|TOKEN/
    const plain = Object.values(compose.services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([name, value]) => secret.test(name) && !/^\$\{\w+:\?\}$/.test(value)),
    )
    expect(plain).toEqual([])
    const asked = [...new Set([...TEXT.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name))]
    const lines = read('deploy/env.example').split('\n')
    const offered = lines.flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    expect(offered.toSorted()).toEqual(asked.toSorted())
    // None of them comes filled in.
    expect(lines.filter((line) => secret.test(line.split('=')[0] ?? '') && /^\w+=./.test(line))).toEqual([])
    expect(read('.gitignore').split('\n')).toContain('.env')
  })

  it('keeps each store in a named volume, and waits until all are healthy', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes }) => volumes.map((one) => one.split(':')[0]))
    expect(mounted).toEqual(Object.keys(compose.volumes))
    const others = Object.keys(compose.services).filter((name) => name !== 'hedgerow')
    expect(hedgerow?.depends_on).toEqual(
      Object.fromEntries(others.map((name) => [name, { condition: 'service_healthy' }])),
    )
    for (const name of others) expect(compose.services[name]?.healthcheck?.test[0]).toBe('CMD')
  })

  it('fits the image: where its data is, and its port, on loopback only', () => {
    const last = readDockerfile(read('Dockerfile')).stages.at(-1)
    const said = (name: string) => last?.instructions.find((one) => one.name === name)?.text
    expect(hedgerow?.volumes).toEqual([`hedgerow:${said('VOLUME')}`])
    expect(hedgerow?.ports).toEqual([`127.0.0.1:8000:${said('EXPOSE')}`])
    expect(said('HEALTHCHECK')).toContain('/_health')
  })
})
