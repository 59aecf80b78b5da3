import { afterAll, beforeAll, describe } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import { connect, type Servers } from '../server/client.ts'
import { readClickhouseUrl } from '../server/read-url.ts'
import { literalChecks } from './literal-checks.ts'

describe.skipIf(noClickhouse)('literals on ClickHouse 18.16', () => {
  let database: TestClickhouse
  let servers: Servers
  beforeAll(async () => {
    database = await newClickhouse()
    servers = await connect(readClickhouseUrl(database.url))
  })
  afterAll(async () => {
    await servers.close()
    await database.drop()
  })
  literalChecks(() => servers)
})
