/** A question is answered as of one moment, whatever the store does with its columns meanwhile. */
import { expect, it } from 'vitest'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { applyBatches } from '../apply-batches.ts'
import { startColumnsPass } from '../columns/columns-pass.ts'
import { openParts } from '../open-parts.ts'
import { foldAll } from '../people/people-projection.ts'
import { LIMITS } from '../progress.ts'
import { matchingEvents } from './matching-events.ts'
import { runQuestion } from './statement.ts'

const EVENTS = 200

async function openStore() {
  const small = { blockEvents: 100, fillEvents: 100, commonEvents: 10, lookPersons: 1, commonPersons: 1 }
  const parts = await openParts(':memory:', { ...LIMITS, ...small })
  const pass = startColumnsPass(parts)
  let seq = 0
  return {
    parts,
    pass,
    add: () =>
      applyBatches(
        parts,
        [
          makeBatch(++seq, {
            events: Array.from({ length: EVENTS }, () =>
              makeEvent(1, { distinctId: 'ann', personId: 1, properties: { n: 1 } }),
            ),
            persons: [makePerson(1, { personId: 1, properties: { plan: 'a' } })],
            distinctIds: [{ projectId: 1, distinctId: 'ann', personId: 1 }],
          }),
        ],
        NOON,
      ),
    fold: () =>
      parts.database.write(
        (connection) => foldAll(connection, parts),
        (folded) => Object.assign(parts.progress, folded),
      ),
  }
}

type Store = Awaited<ReturnType<typeof openStore>>

const FILTER: PropertyFilter = {
  join: 'AND',
  of: [
    { type: 'person', key: 'plan', operator: 'exact', value: ['a'] },
    { type: 'event', key: 'n', operator: 'exact', value: ['1'] },
  ],
}

/** How many events match; `meanwhile` happens after the question has begun to read. */
const count = ({ parts }: Store, meanwhile: () => Promise<unknown>) =>
  runQuestion(parts, 1, async (statement) => {
    await statement.connection.run('SELECT 1 FROM persons LIMIT 1')
    await meanwhile()
    const range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    const sql = await matchingEvents(statement, {
      ...range,
      selector: { event: null, filter: FILTER },
      columns: 'ord',
    })
    return Number((await statement.rows(`SELECT count(*) FROM (${sql})`))[0]?.[0])
  })

it('reads no column that is added meanwhile', async () => {
  const store = await openStore()
  await store.add()
  await store.fold()
  expect(await count(store, () => store.pass.finish())).toBe(EVENTS)
  expect([store.parts.properties.columns.length, store.parts.personProperties.columns.length]).toEqual([1, 1])
  await store.parts.database.close()
})

it('reads no value that is filled meanwhile, and misses none that moves', async () => {
  const store = await openStore()
  await store.add()
  await store.fold()
  await store.pass.finish()
  await store.add()
  const moved = async () => {
    await store.fold()
    await store.pass.finish()
  }
  expect(await count(store, moved)).toBe(2 * EVENTS)
  expect(await count(store, store.add)).toBe(2 * EVENTS)
  expect(await count(store, async () => {})).toBe(3 * EVENTS)
  await store.parts.database.close()
})
