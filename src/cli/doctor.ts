/**
 * `hedgerow doctor`: checks what the server needs and its backlogs, and prints for each whether it is in order and
 * what to do if not. Changes nothing, works while the server runs, exits with 1 when something fails.
 */
import { statfs } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { escapeControlCharacters } from '../lib/text/control-characters.ts'
import { systemClock } from '../lib/time/clock.ts'
import { clockHold, describeHold, nextClockState } from '../lib/time/clock-trust.ts'
import { formatInstant, MINUTE } from '../lib/time/time.ts'
import type { SqlStores } from '../model/stores.ts'
import { OVERDUE_AFTER } from '../rules/erasure/deletion-schedule.ts'
import { createMailer } from '../transports/mail.ts'
import { withSql } from './with-sql.ts'

export interface Finding {
  state: 'ok' | 'warn' | 'fail'
  /** The finding, and what to do if it is not ok. */
  words: string
}

type Check = () => Promise<Finding>

const ok = (words: string): Finding => ({ state: 'ok', words })
const warn = (words: string): Finding => ({ state: 'warn', words })
const fail = (words: string): Finding => ({ state: 'fail', words })

/** An earlier time means that the machine has no working clock. */
const BUILT_AFTER = Date.UTC(2026, 0, 1)
/** A difference that may come from a correction of the clock. */
const SLACK = 2 * MINUTE
/** A running server polls every second and has a tick each minute. */
const IDLE_AFTER = 5 * MINUTE

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
const minutes = (ms: number): string => `${Math.round(ms / MINUTE)} min`
const since = (instant: number | null, now: number): number => (instant === null ? 0 : Math.max(0, now - instant))

async function disk({ dataDir, minFreeForEvents, minFreeForRecordings }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free < minFreeForEvents) {
    return fail(`${gigabytes(free)} free: neither events nor recordings are taken. Make room for ${dataDir}.`)
  }
  if (free < minFreeForRecordings) {
    return warn(`${gigabytes(free)} free: recordings are not taken. Make room for ${dataDir}.`)
  }
  return ok(`${gigabytes(free)} free`)
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

async function server(stores: SqlStores, now: number): Promise<Finding> {
  const last = await lastTick(stores)
  if (last === null) return warn('none has run on this data yet. Start it with "hedgerow serve".')
  const idle = since(last, now)
  if (idle > IDLE_AFTER) {
    return warn(`none has looked for work since ${formatInstant(last)}. Start it with "hedgerow serve".`)
  }
  return ok(`looked for work at ${formatInstant(last)}`)
}

async function outbox(stores: SqlStores, { outboxRows }: Config, now: number): Promise<Finding> {
  const { length, oldestAt } = await stores.outbox.backlog()
  const waiting = `${length} batches wait for the event store, the oldest for ${minutes(since(oldestAt, now))}`
  if (length >= outboxRows) return fail(`${waiting}; capture answers 503. The server's log says what holds them up.`)
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
const hostOf = (url: string): string => new URL(url).host

async function mail({ smtpUrl, mailFrom, publicUrl }: Config): Promise<Finding> {
  if (smtpUrl === null || mailFrom === null) {
    return ok('not configured: subscriptions by e-mail are kept and not sent. HEDGEROW_SMTP_URL changes that.')
  }
  const host = hostOf(smtpUrl)
  try {
    await createMailer({ url: smtpUrl, from: mailFrom }).verify()
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ')
    return fail(`${host} did not let us in: ${reason}. Look at HEDGEROW_SMTP_URL.`)
  }
  if (publicUrl === null) return warn(`${host} lets us in, but mails have no links without HEDGEROW_PUBLIC_URL.`)
  return ok(`${host} lets us in`)
}

/** Settings for stores that this version does not have; the server would not start with them. */
async function elsewhere({ sqlUrl, eventsUrl, blobsUrl }: Config): Promise<Finding> {
  const named = { HEDGEROW_SQL_URL: sqlUrl, HEDGEROW_EVENTS_URL: eventsUrl, HEDGEROW_BLOBS_URL: blobsUrl }
  const set = Object.entries(named).flatMap(([name, url]) => (url === null ? [] : [name]))
  if (set.length === 0) return ok('SQLite, DuckDB and files in the data folder; no S3')
  return fail(`this version has the embedded stores only, no PostgreSQL, ClickHouse or S3. Unset ${set.join(', ')}.`)
}

/** By name; those on the stores are included only if these can be opened. */
export const checks = (config: Config, stores: SqlStores | null, now: number): Record<string, Check> => ({
  stores: () => elsewhere(config),
  disk: () => disk(config),
  ...(stores && {
    clock: () => clock(stores, now),
    server: () => server(stores, now),
    outbox: () => outbox(stores, config, now),
    jobs: () => jobs(stores, now),
    deletions: () => deletions(stores, now),
  }),
  mail: () => mail(config),
})

/** Prints a line per check; false when one fails. */
async function examine(all: Record<string, Check>): Promise<boolean> {
  let fine = true
  for (const [name, check] of Object.entries(all)) {
    const { state, words } = await check().catch((error: Error) => fail(error.message))
    process.stdout.write(`${state.padEnd(5)} ${name.padEnd(10)} ${escapeControlCharacters(words)}\n`)
    if (state === 'fail') fine = false
  }
  return fine
}

export async function doctor(args: string[], config: Config): Promise<void> {
  parseArgs({ args, options: {} })
  let fine = false
  if ((await elsewhere(config)).state === 'fail') fine = await examine(checks(config, null, systemClock.now()))
  else {
    await withSql(config, async (stores, now) => {
      fine = await examine(checks(config, stores, now))
    })
  }
  process.exitCode = fine ? 0 : 1
}
