/** The two sets of stores, each with what it takes on disk. The servers are those that the tests start. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ask, startClickhouse } from '../../test/support/clickhouse/server.ts'
import { copyOfNpm } from '../../test/support/postgres/binaries.ts'
import { giveAway, makeFolder, startPostgres } from '../../test/support/postgres/server.ts'
import { startS3 } from '../../test/support/servers/s3.ts'

export interface Engines {
  settings: Record<string, string>
  /** Bytes by what they are of; asked while no server runs on them. */
  bytes(): Promise<Map<string, number>>
  end(): Promise<void>
}

const SHARDS = 2

/** Of the files in a folder, and of those below. */
function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

export function embedded(dataDir: string): Engines {
  const sizeOf = (name: string) =>
    readdirSync(dataDir)
      .filter((file) => file.startsWith(name))
      .reduce((sum, file) => sum + statSync(join(dataDir, file)).size, 0)
  return {
    settings: {},
    async bytes() {
      return new Map([
        ['SQLite', sizeOf('hedgerow.db')],
        ['DuckDB', sizeOf('events.duckdb')],
        ['files', bytesIn(join(dataDir, 'blobs'))],
      ])
    },
    end: async () => {},
  }
}

/** What does not stay: the outbox for ten minutes after a batch was applied, uuids for seven days. */
const PASSING = ['outbox', 'event_uuids']

async function postgresBytes(url: string): Promise<[string, number][]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('vacuum')
    const { rows } = await client.query<{ part: string; bytes: string }>(
      `select coalesce(passing, 'rest') as part, sum(pg_total_relation_size(oid)) as bytes from pg_class
        left join unnest($1::text[]) as passing on relname like passing || '%'
        where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1 order by 1`,
      [PASSING],
    )
    return rows.map(({ part, bytes }) => [`PostgreSQL: ${part}`, Number(bytes)])
  } finally {
    await client.end()
  }
}

/** Of all nodes, when everything is merged. */
async function clickhouseBytes(
  servers: Awaited<ReturnType<typeof startClickhouse>>,
  database: string,
): Promise<[string, number]> {
  let bytes = 0
  for (const node of servers.nodes) {
    const merging = `SELECT name FROM system.tables WHERE database = '${database}' AND engine LIKE '%MergeTree'`
    for (const table of (await ask(node, servers, merging)).trim().split('\n')) {
      await ask(node, servers, `OPTIMIZE TABLE ${database}.${table} FINAL`)
    }
    const parts = `SELECT sum(bytes_on_disk) FROM system.parts WHERE database = '${database}' AND active`
    bytes += Number(await ask(node, servers, parts))
  }
  return ['ClickHouse', bytes]
}

export async function atScale(): Promise<Engines> {
  const folder = makeFolder()
  const installed = copyOfNpm(folder.path)
  if (!installed) throw new Error('npm has no PostgreSQL for this machine.')
  giveAway(folder.path)
  const postgres = await startPostgres({ home: installed.home, folder: makeFolder(folder.path), isDurable: true })
  const clickhouse = await startClickhouse({ shards: SHARDS })
  const database = await clickhouse.createDatabase()
  const s3 = await startS3()
  const hosts = clickhouse.nodes.map(({ host, port }) => `${host}:${port}`).join(',')
  return {
    settings: {
      HEDGEROW_SQL_URL: postgres.url,
      HEDGEROW_EVENTS_URL: `clickhouse://${clickhouse.user}:${clickhouse.password}@${hosts}/${database}?cluster=${clickhouse.cluster}`,
      HEDGEROW_BLOBS_URL: s3.url('costs'),
    },
    async bytes() {
      return new Map([
        ...(await postgresBytes(postgres.url)),
        await clickhouseBytes(clickhouse, database),
        // Each start has two more, as a trial.
        ['S3: objects, not bytes', s3.requests.filter(({ method }) => method === 'PUT').length],
      ])
    },
    async end() {
      await s3.stop()
      await clickhouse.close()
      await folder.remove()
    },
  }
}
