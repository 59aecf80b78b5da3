import { describe } from 'vitest'
import { newClickhouse, noClickhouse } from '../../../test/support/clickhouse/databases.ts'
import { PATIENT } from '../../../test/support/clickhouse/patient.ts'
import { eventStoreContract } from '../contract/registry.ts'
import { openClickhouseEvents } from './events.ts'

describe.skipIf(noClickhouse)('on two shards', () => {
  eventStoreContract('ClickHouse 18.16', async () => {
    const { url, drop } = await newClickhouse()
    return { open: () => openClickhouseEvents(url, PATIENT), remove: drop }
  })
})
