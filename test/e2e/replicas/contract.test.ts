/** The contract of the event store on two shards of two replicas each. */
import { afterAll, beforeAll, describe } from 'vitest'
import { openClickhouseEvents } from '../../../src/stores/clickhouse/events.ts'
import { eventStoreContract } from '../../../src/stores/contract/registry.ts'
import { noReplicas, type Replicated, startReplicated } from '../../support/clickhouse/replicated.ts'
import { clickhouseUrl } from '../../support/clickhouse/server.ts'

describe.skipIf(noReplicas)('on replicas', () => {
  let world: Replicated
  beforeAll(async () => {
    world = await startReplicated()
  })
  afterAll(() => world?.servers.close())
  eventStoreContract('ClickHouse 18.16 with replicas', async () => {
    const url = clickhouseUrl(world.servers, await world.servers.createDatabase())
    return { open: () => openClickhouseEvents(url) }
  })
})
