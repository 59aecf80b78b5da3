/**
 * Fills data folders before a server opens them: persons by prepared inserts on the SQLite adapter's own writer
 * (a million in seconds; the product has no such path, people come through capture), events through the event
 * store's port in large batches.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { DAY } from '../src/lib/time/time.ts'
import type { OutboxBatch } from '../src/model/events/outbox.ts'
import { personUuid } from '../src/rules/persons/identity.ts'
import { writeContent } from '../src/stores/outbox/batch-text.ts'
import { arg, prepared } from '../src/stores/sql/connection.ts'
import { registerSqliteFunctions } from '../src/stores/sql/sqlite/functions.ts'
import { openSqlite } from '../src/stores/sql/sqlite/open-sqlite.ts'
import { API_KEY } from './child.ts'

type Say = (progress: string) => void

export const PROJECT = 1
const SAY_EVERY = 250_000
const EVENTS_IN_A_BATCH = 25_000
const count = (n: number) => n.toLocaleString('en-US')

export const openApp = (dataDir: string, settings: Record<string, string> = {}) =>
  createApp({
    config: readConfig({ HEDGEROW_DATA_DIR: dataDir, HEDGEROW_API_KEY: API_KEY, ...settings }),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })

/** Migrates and bootstraps an empty folder: project 1 and the bench's key. */
export async function prepare(dataDir: string): Promise<void> {
  const app = await openApp(dataDir)
  await app.close()
}

const insertPerson = prepared((db) =>
  db
    .insertInto('persons')
    .values({
      project_id: PROJECT,
      uuid: arg<string>(0),
      properties: arg<string>(1),
      is_identified: 1,
      created_at: arg<number>(2),
      updated_at: arg<number>(2),
    })
    .returning('id'),
)
const insertDistinctId = prepared((db) =>
  db
    .insertInto('distinct_ids')
    .values({ project_id: PROJECT, distinct_id: arg<string>(0), person_id: arg<number>(1) })
    .returning('id'),
)

export const propertiesOf = (n: number): string =>
  JSON.stringify({ email: `person-${n}@example.com`, name: `Person ${n}`, $os: 'Linux', plan: n % 3 ? 'free' : 'paid' })

/** `howMany` persons with ids from 1, each with one distinct id `user-<n>`. */
export async function seedPersons(dataDir: string, howMany: number, say: Say): Promise<void> {
  await prepare(dataDir)
  const sqlite = openSqlite(join(dataDir, 'hedgerow.db'), registerSqliteFunctions)
  const { writer } = sqlite
  const since = systemClock.now() - 30 * DAY
  try {
    await writer.db.transaction().execute(async () => {
      for (let n = 1; n <= howMany; n++) {
        const distinctId = `user-${n}`
        const rows = insertPerson.run(writer, personUuid(PROJECT, distinctId), propertiesOf(n), since + n) as {
          id: number
        }[]
        insertDistinctId.run(writer, distinctId, rows[0]?.id)
        if (n % SAY_EVERY === 0) say(`${count(n)} of ${count(howMany)} persons`)
      }
    })
  } finally {
    await sqlite.close()
  }
}

/** The events of one batch: those with a number in `own` belong to `user-1`, the rest to other visitors. */
function eventBatch(start: number, size: number, own: Set<number>, now: number): OutboxBatch {
  const events = Array.from({ length: size }, (_, i) => {
    const n = start + i
    return {
      projectId: PROJECT,
      uuid: randomUUID(),
      event: n % 4 ? '$pageview' : '$autocapture',
      distinctId: own.has(n) ? 'user-1' : `visitor-${n % 50_000}`,
      timestamp: now - (n % 6) * DAY - (n % 86_400),
      sessionId: null,
      properties: { $current_url: `https://example.com/page/${n % 100}`, $browser: 'Firefox' },
    }
  })
  return { id: uuidV7(now), seq: start + 1, text: writeContent({ events, persons: [], distinctIds: [] }) }
}

/** `howMany` events of the last six days; `ofOne` of them, evenly spread, belong to the person `user-1`. */
export async function seedEvents(dataDir: string, howMany: number, ofOne: number, say: Say): Promise<void> {
  const app = await openApp(dataDir)
  const now = systemClock.now()
  const own = new Set(Array.from({ length: ofOne }, (_, i) => Math.floor((i * howMany) / ofOne)))
  try {
    for (let start = 0; start < howMany; start += EVENTS_IN_A_BATCH) {
      const size = Math.min(EVENTS_IN_A_BATCH, howMany - start)
      await app.stores.events.apply([eventBatch(start, size, own, now)], now)
      const done = start + size
      if (done % (4 * SAY_EVERY) === 0) say(`${count(done)} of ${count(howMany)} events`)
    }
  } finally {
    await app.close()
  }
}
