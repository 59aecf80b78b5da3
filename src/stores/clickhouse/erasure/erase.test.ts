/** What the contract cannot ask: erasing that is cut off, many ids at once, and what the engine has not merged away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import type { ErasureRequest } from '../../../model/events/erasure.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { applyBatches } from '../apply-batches.ts'
import { openParts } from '../open-parts.ts'
import { LIMITS, type Parts } from '../parts.ts'
import type { Servers } from '../server/client.ts'
import { erase } from './erase.ts'

let database: TestClickhouse
let parts: Parts
let projectId = 0

const request = (id: number, given: Partial<ErasureRequest> = {}): ErasureRequest => ({
  id,
  projectId,
  personId: 1,
  distinctIds: ['ann'],
  cutoffSeq: 5,
  ...given,
})

async function count(table: string): Promise<number> {
  const [[rows] = []] = await parts.servers.rows(`SELECT count() FROM ${table} WHERE project_id = ${projectId}`)
  return Number(rows)
}

/** Fails at the removals after the first few. */
function failingAfter(removals: number): Parts {
  let done = 0
  const servers: Servers = Object.create(parts.servers, {
    onEach: {
      value: async (sql: string) => {
        if (sql.startsWith('ALTER') && ++done > removals) throw new Error('cut off')
        await parts.servers.onEach(sql)
      },
    },
    rows: { value: parts.servers.rows.bind(parts.servers) },
    binary: { value: parts.servers.binary.bind(parts.servers) },
    insert: { value: parts.servers.insert.bind(parts.servers) },
    rowsOfEach: { value: parts.servers.rowsOfEach.bind(parts.servers) },
  })
  return { ...parts, servers }
}

async function store(): Promise<void> {
  projectId += 1
  const visit = uuidV7(NOON)
  const events = ['ann', 'bob', 'cy'].flatMap((distinctId) =>
    [1, 2].map((timestamp) => makeEvent(projectId, { distinctId, timestamp, sessionId: visit })),
  )
  await applyBatches(parts, [makeBatch(1, { events })], NOON)
}

describe.skipIf(noClickhouse)('erasing', () => {
  beforeAll(async () => {
    database = await newClickhouse()
    parts = await openParts(database.url, { ...LIMITS, listedSessions: 10 })
  })
  afterAll(async () => {
    await parts.servers.close()
    await database.drop()
  })

  it.each([0, 1])('has the same counts when it was cut off after %i removals', async (removals) => {
    await store()
    const id = 10 * projectId
    const [ann, bob] = [request(id), request(id + 1, { distinctIds: ['bob'], personId: 2 })]
    await expect(erase(failingAfter(removals), [ann, bob])).rejects.toThrow('cut off')
    // Meanwhile one of them was extended.
    const extended = request(id + 1, { distinctIds: ['bob', 'cy'], personId: 2, cutoffSeq: 9 })
    expect(await erase(parts, [ann, extended])).toEqual([
      { id, events: 2, sessions: 0 },
      { id: id + 1, events: 4, sessions: 1 },
    ])
    expect([await count('events'), await count('moments')]).toEqual([0, 0])
    expect(await erase(parts, [ann])).toEqual([{ id, events: 2, sessions: 0 }])
  })

  it('erases many ids of many requests at once', async () => {
    await store()
    const requests = Array.from({ length: 300 }, (_, n) =>
      request(1_000 + n, {
        personId: n + 1,
        distinctIds: Array.from(
          { length: 10 },
          (_, i) => (n === 299 && i > 7 ? ['ann', 'bob'][i - 8] : `x-${n}-${i}`) as string,
        ),
      }),
    )
    const erased = await erase(parts, requests, 1_000)
    expect(erased.filter(({ events }) => events > 0)).toEqual([{ id: 1_299, events: 4, sessions: 0 }])
    expect(await count('events')).toBe(2)
  })

  it('leaves no earlier rows of persons and ids', async () => {
    projectId += 1
    const person = (personId: number, deleted = false) => makePerson(projectId, { personId, deleted })
    const mapping = (distinctId: string, personId: number | null) => ({ projectId, distinctId, personId })
    for (const batch of [
      makeBatch(1, { persons: [person(1), person(2), person(3)], distinctIds: [mapping('ann', 1), mapping('bob', 2)] }),
      makeBatch(2, { persons: [person(1), person(2), person(3, true)], distinctIds: [mapping('bob', 2)] }),
      makeBatch(3, { persons: [person(1, true)], distinctIds: [mapping('ann', null)] }),
    ])
      await applyBatches(parts, [batch], NOON)
    await erase(parts, [request(1), request(2, { personId: 2, distinctIds: ['bob'] })])
    const rows = async (sql: string) => (await parts.servers.rows(sql)).map((row) => row.join(' '))
    expect(
      await rows(`SELECT person_id, seq FROM persons WHERE project_id = ${projectId} ORDER BY person_id, seq`),
    ).toEqual(['2 2', '3 2'])
    expect(await rows(`SELECT distinct_id, seq FROM distinct_ids WHERE project_id = ${projectId}`)).toEqual(['bob 2'])
  })
})
