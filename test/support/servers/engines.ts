/** PostgreSQL, two shards of ClickHouse and S3 with nothing in them, for programs that no test runner starts. */
import { type ClickhouseServers, clickhouseUrl, startClickhouse } from '../clickhouse/server.ts'
import { copyOfNpm } from '../postgres/binaries.ts'
import { giveAway, makeFolder, type PostgresServer, startPostgres } from '../postgres/server.ts'
import { type S3Server, startS3 } from './s3.ts'

const SHARDS = 2

export interface Engines {
  postgres: PostgresServer
  clickhouse: ClickhouseServers
  /** The one on ClickHouse. */
  database: string
  s3: S3Server
  /** By which Hedgerow uses them. */
  settings: Record<string, string>
  end(): Promise<void>
}

export async function startEngines(): Promise<Engines> {
  const folder = makeFolder()
  const installed = copyOfNpm(folder.path)
  if (!installed) throw new Error('npm has no PostgreSQL for this machine.')
  giveAway(folder.path)
  const postgres = await startPostgres({ home: installed.home, folder: makeFolder(folder.path), isDurable: true })
  const clickhouse = await startClickhouse({ shards: SHARDS })
  const database = await clickhouse.createDatabase()
  const s3 = await startS3()
  return {
    postgres,
    clickhouse,
    database,
    s3,
    settings: {
      HEDGEROW_SQL_URL: postgres.url,
      HEDGEROW_EVENTS_URL: clickhouseUrl(clickhouse, database),
      HEDGEROW_BLOBS_URL: s3.url('recordings'),
    },
    async end() {
      await s3.stop()
      await clickhouse.close()
      await folder.remove()
    },
  }
}
