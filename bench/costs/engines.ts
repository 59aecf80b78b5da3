/** The two sets of stores, each with what it takes on disk. The servers are those that the tests start. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ask, type ClickhouseServers } from '../../test/support/clickhouse/server.ts'
import { startEngines } from '../../test/support/servers/engines.ts'

export interface Engines {
  settings: Record<string, string>
  /** Bytes by what they are of; asked while no server runs on them. */
  bytes(): Promise<Map<string, number>>
  end(): Promise<void>
}

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
async function clickhouseBytes(servers: ClickhouseServers, database: string): Promise<[string, number]> {
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
  const { postgres, clickhouse, database, s3, settings, end } = await startEngines()
  return {
    settings,
    async bytes() {
      return new Map([
        ...(await postgresBytes(postgres.url)),
        await clickhouseBytes(clickhouse, database),
        // Each start has two more, as a trial.
        ['S3: objects, not bytes', s3.requests.filter(({ method }) => method === 'PUT').length],
      ])
    },
    end,
  }
}
