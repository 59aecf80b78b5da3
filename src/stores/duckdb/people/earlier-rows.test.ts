import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, it } from 'vitest'
import { NOON } from '../../contract/batch-builders.ts'
import { checkFits, checkList, checkValues } from '../../contract/people-checks.ts'
import { PeopleWorld, randomOf } from '../../contract/people-world.ts'
import { openDuckdbEvents } from '../events.ts'
import { LIMITS } from '../progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-earlier-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PEOPLE = 1_500
const COLUMNS = ['updated_at', 'last_seen_at', 'is_identified', 'width', 'search']

/** As a version before these columns leaves the rows under the condition. */
async function forget(path: string, condition: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const table of ['persons', 'fresh_persons']) {
    await connection.run(`UPDATE ${table} SET ${COLUMNS.map((name) => `${name} = NULL`).join(', ')} WHERE ${condition}`)
  }
  for (const table of ['distinct_ids', 'fresh_distinct_ids']) {
    await connection.run(`UPDATE ${table} SET folded = NULL WHERE ${condition}`)
  }
  connection.closeSync()
  instance.closeSync()
}

describe('rows of people from an earlier version', () => {
  it.each([
    ['all', 'true', 3],
    ['some', 'person_id % 3 = 0', 4],
  ])('are found as any others: %s of them', async (name, condition, seed) => {
    const path = join(folder, `${name}.duckdb`)
    const limits = { ...LIMITS, foldRows: 700 }
    const world = new PeopleWorld(1, randomOf(seed))
    const before = await openDuckdbEvents(path, limits)
    for (const batch of world.batches(30, PEOPLE, 60)) await before.apply([batch], NOON)
    await before.close()
    await forget(path, condition)
    const store = await openDuckdbEvents(path, limits)
    const here = { store, projectId: 1 }
    for (let i = 0; i < 20; i++) {
      const { updatedAfter: _, ...filter } = world.filter()
      await checkList(here, world, filter)
    }
    await checkFits(here, world, PEOPLE)
    await checkValues(here, world)
    const named = await store.incompletePersons(0, PEOPLE)
    const lacking = world.living.map(({ personId }) => personId).filter((id) => name === 'all' || id % 3 === 0)
    expect(named.map(({ personId }) => personId)).toEqual(lacking.sort((a, b) => a - b))
    await store.close()
  })
})
