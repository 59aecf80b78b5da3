/**
 * What `hedgerow doctor` looks at, each with whether it is in order and what to do if not. Where a server runs, its own
 * settings count, not those of this shell. Changes nothing.
 */
import type { Config } from '../../config.ts'
import type { ServerStatus } from '../../features/system/system.feature.ts'
import { formatByteSize } from '../../lib/bytes/byte-size.ts'
import { freeSpace } from '../../lib/disk-space.ts'
import { clockHold, describeHold, nextClockState } from '../../lib/time/clock-trust.ts'
import { formatInstant, MINUTE } from '../../lib/time/time.ts'
import { version } from '../../lib/version.ts'
import type { SqlStores } from '../../model/stores.ts'
import { OVERDUE_AFTER } from '../../rules/erasure/deletion-schedule.ts'
import type { Mismatches } from '../../stores/check-installation.ts'
import { reportClickhouse } from '../../stores/clickhouse/inspect.ts'
import type { SqlReport } from '../../stores/open.ts'
import { findBucketProblem } from '../../stores/s3/blobs.ts'
import { createMailer } from '../../transports/mail.ts'
import { workingKeys } from '../accounts/last-access.ts'
import type { Asked } from './ask-server.ts'
import { databaseFindings } from './database.ts'
import type { Finding } from './finding.ts'

type Check = () => Promise<Finding>

/** The settings that the checks go by. */
interface Effective {
  dataDir: string
  minFreeForRecordings: number
  minFreeForEvents: number
  outboxRows: number
  publicUrl: string | null
  /** Whether mail is configured. */
  hasMail: boolean
}

/** Those of the running server, before those of this shell. */
function effectiveSettings(config: Config, server: ServerStatus | null): Effective {
  const { dataDir, minFreeForRecordings, minFreeForEvents, outboxRows, publicUrl, smtpUrl, mailFrom } = config
  const here = { minFreeForRecordings, minFreeForEvents, outboxRows, publicUrl }
  if (server === null) return { dataDir, ...here, hasMail: smtpUrl !== null && mailFrom !== null }
  const { settings } = server
  return {
    dataDir,
    minFreeForRecordings: Number(settings.HEDGEROW_MIN_FREE_FOR_RECORDINGS),
    minFreeForEvents: Number(settings.HEDGEROW_MIN_FREE_FOR_EVENTS),
    outboxRows: Number(settings.HEDGEROW_OUTBOX_ROWS),
    publicUrl: (settings.HEDGEROW_PUBLIC_URL ?? null) as string | null,
    hasMail: server.mail !== undefined,
  }
}

export interface DoctorParts {
  config: Config
  /** Null when they cannot be opened. */
  stores: SqlStores | null
  now: number
  asked: Asked
  /** What a look at the stores of a stopped server has found; null while one runs. */
  stopped: Mismatches | null
  /** Of a SQL store on a server of its own; null when it is embedded, a finding when it could not be asked. */
  database?: SqlReport | Finding | null
}

const isFinding = (given: SqlReport | Finding): given is Finding => 'state' in given

/** Of the SQL store's own server, if it has one. */
function databaseChecks({ database }: DoctorParts): Record<string, Check> {
  if (!database) return {}
  const findings = isFinding(database) ? { database } : databaseFindings(database)
  return Object.fromEntries(Object.entries(findings).map(([name, finding]) => [name, async () => finding]))
}

const ok = (words: string): Finding => ({ state: 'ok', words })
const warn = (words: string): Finding => ({ state: 'warn', words })
const fail = (words: string): Finding => ({ state: 'fail', words })

/** An earlier time means that the machine has no working clock. */
const BUILT_AFTER = Date.UTC(2026, 0, 1)
/** A difference that may come from a correction of the clock. */
const SLACK = 2 * MINUTE
/** A running server polls every second and has a tick each minute. */
const IDLE_AFTER = 5 * MINUTE

const minutes = (ms: number): string => `${Math.round(ms / MINUTE)} min`
const since = (instant: number | null, now: number): number => (instant === null ? 0 : Math.max(0, now - instant))

async function disk({ dataDir, minFreeForEvents, minFreeForRecordings }: Effective): Promise<Finding> {
  const free = await freeSpace(dataDir)
  if (free < minFreeForEvents) {
    return fail(`${formatByteSize(free)} free: neither events nor recordings are taken. Make room for ${dataDir}.`)
  }
  if (free < minFreeForRecordings) {
    return warn(`${formatByteSize(free)} free: recordings are not taken. Make room for ${dataDir}.`)
  }
  return ok(`${formatByteSize(free)} free`)
}

async function lastTick({ jobs }: SqlStores): Promise<number | null> {
  const ticks = [...(await jobs.ticks()).values()]
  return ticks.length === 0 ? null : Math.max(...ticks)
}

async function clock(stores: SqlStores, now: number): Promise<Finding> {
  const said = `it says ${formatInstant(now)}`
  if (now < BUILT_AFTER) return fail(`${said}, which cannot be. Set the machine's clock.`)
  const last = await lastTick(stores)
  if (last !== null && last > now + SLACK) {
    return fail(`${said}, but work was done at ${formatInstant(last)} already. Set the machine's clock.`)
  }
  const state = await stores.clockState.find()
  const hold = state && clockHold(nextClockState(state, { now, elapsed: 0 }))
  if (hold) return warn(`${said}, ${describeHold(hold)}.`)
  return ok(said)
}

const START = 'Start it with "hedgerow serve".'

async function server(stores: SqlStores, asked: Asked, now: number): Promise<Finding> {
  if (asked.kind === 'silent') return fail(`${asked.reason}. Its log may say why; end it and start it again.`)
  const last = await lastTick(stores)
  if (asked.kind === 'none') {
    if (last === null) return warn(`none has run on this data yet. ${START}`)
    return warn(`none runs; the last one looked for work at ${formatInstant(last)}. ${START}`)
  }
  const { version: running, pid, started_at } = asked.status
  const said = `process ${pid} runs version ${running} since ${started_at}`
  if (last === null || since(last, now) > IDLE_AFTER)
    return fail(`${said}, but does not look for work. Its log says why.`)
  if (running !== version()) return warn(`${said}, but ${version()} is installed. Restart it.`)
  return ok(said)
}

/** The stores beside the SQL store: as the server sees them or, when none runs, by a look at their files. */
async function storeOf(name: 'events' | 'blobs', { asked, stopped }: DoctorParts): Promise<Finding> {
  if (asked.kind === 'running') {
    const words = asked.status.checks[name] ?? 'not known'
    return words === 'ok' ? ok('the server can use it') : fail(`${words}. The server's log says why.`)
  }
  if (stopped === null) return warn('in use by a process that does not answer')
  const problem = stopped[name]
  return problem === null ? ok('can be read, and belongs to the SQL store') : fail(problem)
}

async function accounts(stores: SqlStores, now: number): Promise<Finding> {
  const users = await stores.users.list()
  if (users.length === 0) {
    return fail('there is no user, so no key works. "hedgerow users create --email TEXT" makes one.')
  }
  const keys = await workingKeys(stores, now)
  if (keys.length === 0) {
    return fail('there is no key that works, so nobody can use the API. "hedgerow keys create --label TEXT" makes one.')
  }
  return ok(`${users.length} users, ${keys.length} keys that work`)
}

async function outbox(stores: SqlStores, { outboxRows }: Effective, now: number): Promise<Finding> {
  const { length, again, oldestAt } = await stores.outbox.backlog()
  const waiting = `${length} batches wait for the event store, the oldest for ${minutes(since(oldestAt, now))}`
  if (length - again >= outboxRows)
    return fail(`${waiting}; capture answers 503. The server's log says what holds them up.`)
  if (since(oldestAt, now) > MINUTE) return warn(`${waiting}. Is the server running? Its log says what holds them up.`)
  const parked = await stores.outbox.parkedCount()
  if (parked > 0) {
    return warn(
      `${parked} batches are refused by the event store: reads of events lack what is in them. ` +
        '"hedgerow outbox list" says why, "hedgerow outbox retry" tries again.',
    )
  }
  return ok(`${length} batches wait for the event store`)
}

async function jobs(stores: SqlStores, now: number): Promise<Finding> {
  const { due, oldestAt, parked } = await stores.jobs.backlog(now)
  if (parked > 0) {
    return warn(`${parked} could not be done. "hedgerow jobs list" says why, "hedgerow jobs retry" tries again.`)
  }
  if (since(oldestAt, now) > IDLE_AFTER) {
    return warn(`${due} are due, the oldest for ${minutes(since(oldestAt, now))}. Is the server running?`)
  }
  return ok(`${due} are due`)
}

async function deletions(stores: SqlStores, now: number): Promise<Finding> {
  const overdue = await stores.deletions.overdue(now - OVERDUE_AFTER)
  if (overdue === 0) return ok('none is late')
  const remedy = '"hedgerow deletions run --project ID" does those of a project at once.'
  return fail(`${overdue} are late by more than an hour. Is the server running? ${remedy}`)
}

/** Only the host: the URL of a mail server contains a password. */
const hostOf = (url: unknown): string => (URL.canParse(String(url)) ? new URL(String(url)).host : 'the mail server')

/** What is wrong, in words; null when it lets us in. */
async function tryMail({ smtpUrl, mailFrom }: Config): Promise<string | null> {
  if (smtpUrl === null || mailFrom === null) return null
  const tried = createMailer({ url: smtpUrl, from: mailFrom }).verify()
  return tried.then(
    () => null,
    (error: Error) => error.message.replaceAll(/\s+/g, ' '),
  )
}

async function mail({ config, asked }: DoctorParts, { hasMail, publicUrl }: Effective): Promise<Finding> {
  if (!hasMail) {
    return ok('not configured: subscriptions by e-mail are kept and not sent. HEDGEROW_SMTP_URL changes that.')
  }
  const server = asked.kind === 'running' ? asked.status : null
  const host = hostOf(server ? server.settings.HEDGEROW_SMTP_URL : config.smtpUrl)
  const problem = server ? (server.mail?.problem ?? null) : await tryMail(config)
  if (problem !== null) return fail(`${host} did not let us in: ${problem}. Look at HEDGEROW_SMTP_URL.`)
  if (publicUrl === null) return warn(`${host} lets us in, but mails have no links without HEDGEROW_PUBLIC_URL.`)
  return ok(`${host} lets us in`)
}

const listed = (words: string[]): string => words.join(', ').replace(/, (?!.*,)/, ' and ')

/** Which stores there are. */
export async function elsewhere({ sqlUrl, eventsUrl, blobsUrl }: Config): Promise<Finding> {
  const stores = [
    { url: sqlUrl, here: 'SQLite', away: 'PostgreSQL' },
    { url: eventsUrl, here: 'DuckDB', away: 'ClickHouse' },
    { url: blobsUrl, here: 'files', away: 'S3' },
  ]
  const away = listed(stores.filter(({ url }) => url !== null).map((store) => store.away))
  const here = listed(stores.filter(({ url }) => url === null).map((store) => store.here))
  return ok([away, here && `${here} in the data folder`].filter((words) => words !== '').join('; '))
}

async function clickhouse(eventsUrl: string, now: number): Promise<Finding> {
  const { versions, problem } = await reportClickhouse(eventsUrl, now)
  return problem === null ? ok(`version ${listed(versions)}`) : fail(`${problem}. Look at HEDGEROW_EVENTS_URL.`)
}

async function bucket(blobsUrl: string): Promise<Finding> {
  const problem = await findBucketProblem(blobsUrl)
  return problem === null ? ok('can be reached, and keeps no versions of what is deleted') : warn(`${problem}.`)
}

/** By name; those on the stores are included only if these can be opened. */
export function checks(parts: DoctorParts): Record<string, Check> {
  const { config, stores, now, asked } = parts
  const settings = effectiveSettings(config, asked.kind === 'running' ? asked.status : null)
  return {
    stores: () => elsewhere(config),
    ...databaseChecks(parts),
    ...(stores && { server: () => server(stores, asked, now) }),
    ...(config.eventsUrl !== null && { clickhouse: () => clickhouse(config.eventsUrl as string, now) }),
    ...(config.blobsUrl !== null && { bucket: () => bucket(config.blobsUrl as string) }),
    disk: () => disk(settings),
    ...(stores && {
      events: () => storeOf('events', parts),
      recordings: () => storeOf('blobs', parts),
      clock: () => clock(stores, now),
      outbox: () => outbox(stores, settings, now),
      jobs: () => jobs(stores, now),
      deletions: () => deletions(stores, now),
      accounts: () => accounts(stores, now),
    }),
    mail: () => mail(parts, settings),
  }
}
