import { afterAll, describe } from 'vitest'
import { newClickhouse, noClickhouse } from '../../../test/support/clickhouse/databases.ts'
import { PATIENT } from '../../../test/support/clickhouse/patient.ts'
import { eventStoreContract } from '../contract/registry.ts'
import { openClickhouseEvents } from './events.ts'

describe.skipIf(noClickhouse)('on two shards', async () => {
  if (noClickhouse) return
  const { url, drop } = await newClickhouse()
  afterAll(drop)
  eventStoreContract('ClickHouse 18.16', () => openClickhouseEvents(url, PATIENT))
})
