/** The contract of the event store on two shards of two replicas each. */
import { afterAll, beforeAll, describe } from 'vitest'
import { foldChecks } from '../../../src/stores/clickhouse/actors/fold-checks.ts'
import { openClickhouseEvents } from '../../../src/stores/clickhouse/events.ts'
import { openParts } from '../../../src/stores/clickhouse/open-parts.ts'
import type { Parts } from '../../../src/stores/clickhouse/parts.ts'
import { eventStoreContract } from '../../../src/stores/contract/registry.ts'
import { noReplicas, type Replicated, startReplicated } from '../../support/clickhouse/replicated.ts'
import { clickhouseUrl } from '../../support/clickhouse/server.ts'

describe.skipIf(noReplicas)('on replicas', () => {
  let world: Replicated
  beforeAll(async () => {
    world = await startReplicated()
  })
  afterAll(() => world?.servers.close())

  describe('writing owners into events', () => {
    let parts: Parts
    beforeAll(async () => {
      parts = await openParts(clickhouseUrl(world.servers, await world.servers.createDatabase()))
    })
    afterAll(() => parts?.servers.close())
    foldChecks(() => parts)
  })

  eventStoreContract('ClickHouse 18.16 with replicas', async () => {
    const url = clickhouseUrl(world.servers, await world.servers.createDatabase())
    return { open: () => openClickhouseEvents(url) }
  })
})
