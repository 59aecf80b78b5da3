/** What is run on a current ClickHouse; in one file, because its process is large and slow to start. */
import { afterAll, beforeAll, describe } from 'vitest'
import { type ChdbServer, noChdb, startChdb } from '../../../test/support/clickhouse/chdb.ts'
import { PATIENT } from '../../../test/support/clickhouse/patient.ts'
import { clickhouseUrl } from '../../../test/support/clickhouse/server.ts'
import { eventStoreContract } from '../contract/registry.ts'
import { foldChecks } from './actors/fold-checks.ts'
import { openClickhouseEvents } from './events.ts'
import { openParts } from './open-parts.ts'
import type { Parts } from './parts.ts'
import { connect, type Servers } from './server/client.ts'
import { readClickhouseUrl } from './server/read-url.ts'
import { literalChecks } from './values/literal-checks.ts'

describe.skipIf(noChdb)(`on a current server${noChdb ? ` (${noChdb})` : ''}`, () => {
  let server: ChdbServer
  beforeAll(async () => {
    server = await startChdb()
  })
  afterAll(() => server?.close())
  const newUrl = async () => clickhouseUrl(server, await server.createDatabase())

  describe('literals on ClickHouse 26.5', () => {
    let servers: Servers
    beforeAll(async () => {
      servers = await connect(readClickhouseUrl(await newUrl()))
    })
    afterAll(() => servers?.close())
    literalChecks(() => servers)
  })

  describe('writing owners into events on ClickHouse 26.5', () => {
    let parts: Parts
    beforeAll(async () => {
      parts = await openParts(await newUrl())
    })
    afterAll(() => parts?.servers.close())
    foldChecks(() => parts)
  })

  // Compiled to WebAssembly it is several times slower than a server: many rows and many removals take minutes, and this build writes 1e300 as 1e30 (and e-308 as e-38).
  const slow = ['many people', 'version of the data', 'insights of any size', 'any number of rows'] as const
  const leaveOut = [...slow, 'sums and averages' as const]
  const newPlace = async () => {
    const url = await newUrl()
    return { open: () => openClickhouseEvents(url, PATIENT) }
  }
  eventStoreContract('ClickHouse 26.5', newPlace, { leaveOut, length: 'short' })
})
