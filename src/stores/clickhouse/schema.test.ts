/** Tables of other versions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../test/support/clickhouse/databases.ts'
import { ask } from '../../../test/support/clickhouse/server.ts'
import type { TrendQuestion } from '../../model/insights/insight-question.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../contract/batch-builders.ts'
import { openClickhouseEvents } from './events.ts'

let database: TestClickhouse

const onEach = async (sql: string): Promise<string[]> => {
  const settings = { database: database.database }
  return Promise.all(database.nodes.map((node) => ask(node, database, sql, settings)))
}

/** What version 1 did not have. */
const LATER = ['events_in', 'persons_in', 'property_columns', 'property_columns_local', 'settled', 'settled_local']
const OVERRIDES = ['overrides', 'overrides_local']

const question: TrendQuestion = {
  projectId: 1,
  selector: { event: null, filter: null },
  measure: { kind: 'actors' },
  edges: [NOON, NOON + 86_400_000],
  breakdown: null,
}

describe.skipIf(noClickhouse)('the tables', () => {
  beforeAll(async () => {
    database = await newClickhouse()
  })
  afterAll(() => database.drop())

  it('of the first version are brought up to this one, with what is in them', async () => {
    const store = await openClickhouseEvents(database.url)
    const events = ['ann', 'bob', 'cy'].map((distinctId) =>
      makeEvent(1, { distinctId, timestamp: NOON, personId: null, properties: { plan: distinctId } }),
    )
    await store.apply([makeBatch(1, { events })], NOON)
    const distinctIds = ['ann', 'bob'].map((distinctId) => ({ projectId: 1, distinctId, personId: 1 }))
    await store.apply([makeBatch(2, { persons: [makePerson(1, { personId: 1 })], distinctIds })], NOON)
    await store.close()
    for (const table of [...LATER, ...OVERRIDES]) await onEach(`DROP TABLE ${table}`)
    for (const version of ['schema_version', 'schema_version_local']) await onEach(`DROP TABLE ${version}`)
    await onEach(
      'CREATE TABLE schema_version_local (one UInt8, version UInt32) ENGINE = ReplacingMergeTree(version) ORDER BY (one)',
    )
    await onEach(`CREATE TABLE schema_version (one UInt8, version UInt32)
      ENGINE = Distributed(${database.cluster}, ${database.database}, schema_version_local, one)`)
    await onEach('INSERT INTO schema_version_local VALUES (0, 1)')
    const again = await openClickhouseEvents(database.url)
    expect(await again.trend(question)).toEqual([{ breakdown: null, values: [2] }])
    await again.apply(
      [makeBatch(3, { events: [makeEvent(1, { distinctId: 'dan', timestamp: NOON, personId: 4 })] })],
      NOON,
    )
    expect(await again.trend(question)).toEqual([{ breakdown: null, values: [3] }])
    await again.close()
    expect(await onEach('SELECT max(version) FROM schema_version')).toEqual(['3\n', '3\n'])
  })

  it('of a newer version are left alone', async () => {
    await onEach('INSERT INTO schema_version_local VALUES (0, 1000)')
    await expect(openClickhouseEvents(database.url)).rejects.toThrow('a newer version of Hedgerow')
  })
})
