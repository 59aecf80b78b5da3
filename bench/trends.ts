/**
 * A 30-day daily trend, asked over HTTP and computed each time, over the bare query by which one would count the same
 * on the same file by hand: same engine, same settings, a copy of the file. Ten million events over 35 days.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/lib/time/clock.ts'
import { DAY } from '../src/lib/time/time.ts'
import { type Database, openDatabase } from '../src/stores/duckdb/database.ts'
import { API_KEY, startServer } from './child.ts'
import { type Figure, median } from './figure.ts'
import { prepare } from './seed.ts'
import { tempFolder } from './temp-folder.ts'

const EVENTS = 10_000_000
const AT_ONCE = 1_000_000
const SEEDED_DAYS = 35
const ROUNDS = 11
const EVENT = '$pageview'

const startOfToday = (): number => Math.floor(systemClock.now() / DAY) * DAY

/** Rows as capture leaves them, in the order of time, made by the engine itself: through the port it takes minutes. */
async function seed(database: Database, say: (progress: string) => void): Promise<void> {
  const since = startOfToday() - (SEEDED_DAYS - 1) * DAY
  const step = (SEEDED_DAYS * DAY) / EVENTS
  for (let start = 0; start < EVENTS; start += AT_ONCE) {
    await database.write((connection) =>
      connection.run(`INSERT INTO events
        SELECT 1, n + 1, n // 100 + 1, ${since}::DOUBLE + n * ${step}::DOUBLE,
          CASE n % 4 WHEN 0 THEN '$autocapture' ELSE '${EVENT}' END,
          'visitor-' || (hash(n) % 200000), (hash(n) % 4294967296)::UINTEGER, gen_random_uuid(), NULL, NULL,
          '{"$current_url":"https://example.com/page/' || (n % 1000) || '","$browser":"Firefox"}', NULL
        FROM range(${start}, ${start + AT_ONCE}) AS numbers(n)`),
    )
    say(`${(start + AT_ONCE).toLocaleString('en-US')} of ${EVENTS.toLocaleString('en-US')} events`)
  }
}

async function bareMs(database: Database): Promise<number> {
  const [from, to] = [startOfToday() - 30 * DAY, startOfToday() + DAY]
  const sql = `SELECT floor(ts / ${DAY}) AS day, count(*) FROM events
    WHERE project_id = 1 AND event = '${EVENT}' AND ts >= ${from} AND ts < ${to} GROUP BY day ORDER BY day`
  const since = performance.now()
  await database.read((connection) => connection.runAndReadAll(sql))
  return performance.now() - since
}

const BODY = JSON.stringify({
  refresh: 'force_blocking',
  query: {
    kind: 'TrendsQuery',
    interval: 'day',
    dateRange: { date_from: '-30d' },
    series: [{ kind: 'EventsNode', event: EVENT }],
  },
})

async function askedMs(port: number): Promise<number> {
  const since = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/environments/1/query/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: BODY,
  })
  const { results } = (await answer.json()) as { results?: { count: number }[] }
  const counted = results?.[0]?.count ?? 0
  if (counted === 0) throw new Error(`The trend was not computed (${answer.status}).`)
  return performance.now() - since
}

export const trends: Figure = {
  name: '30-day daily trend over the bare DuckDB query, 10M events',
  bar: { atMost: 1.5 },
  async measure(say) {
    const dataDir = tempFolder()
    const path = join(dataDir, 'events.duckdb')
    await prepare(dataDir)
    const seeding = await openDatabase(path)
    await seed(seeding, say)
    await seeding.close()
    const copy = join(tempFolder(), 'events.duckdb')
    copyFileSync(path, copy)
    const bare = await openDatabase(copy)
    const server = await startServer(dataDir)
    try {
      say('in turns')
      const rounds: { asked: number; bare: number }[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push({ asked: await askedMs(server.port), bare: await bareMs(bare) })
      }
      // The first one warms up.
      const counted = rounds.slice(1)
      const middle = (of: 'asked' | 'bare') => median(counted.map((round) => round[of])).toFixed(0)
      const ratio = median(counted.map((round) => round.asked / round.bare))
      return { ratio, from: `${middle('asked')} over ${middle('bare')} ms` }
    } finally {
      await bare.close()
      await server.stop()
    }
  },
}
