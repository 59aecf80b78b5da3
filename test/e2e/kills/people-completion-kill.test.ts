/**
 * A server that is killed while it completes what an earlier version stored of people: the next one goes on, and in the
 * end the people projection agrees with the SQL store. Until then every list answers, but the one by time of change.
 */
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { HOUR } from '../../../src/lib/time/time.ts'
import { projectionOf, sendPeopleChange } from '../../../src/rules/persons/people-change.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { run, useFolder } from '../../support/program.ts'
import { storeSettings } from '../../support/stores/stores.ts'

const PRELOAD = new URL('../../support/kill-after-commit.cjs', import.meta.url).pathname
/** More than the server sends at once. */
const PERSONS = 1_300

const folder = useFolder()

async function makePeople(app: TestApp): Promise<void> {
  await app.stores.transaction(async (tx) => {
    const now = app.clock.now()
    const seq = await tx.outbox.nextSeq()
    const persons = []
    const distinctIds = []
    for (let n = 0; n < PERSONS; n++) {
      const uuid = `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`
      const given = {
        projectId: 1,
        uuid,
        properties: { email: `P-${n}@x.org` },
        isIdentified: true,
        createdAt: now - n,
      }
      const person = await tx.persons.create(given, [`ID-${n}`])
      persons.push(projectionOf(person, now - n))
      distinctIds.push({ projectId: 1, distinctId: `ID-${n}`, personId: person.id })
    }
    await sendPeopleChange(tx, { seq, persons, distinctIds }, now)
  })
}

/** As a version leaves the file that does not know these columns. */
async function forgetColumns(): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder(), 'events.duckdb'))
  const connection = await instance.connect()
  for (const table of ['persons', 'fresh_persons']) {
    const columns = ['updated_at', 'last_seen_at', 'is_identified', 'width', 'search']
    await connection.run(`UPDATE ${table} SET ${columns.map((name) => `${name} = NULL`).join(', ')}`)
  }
  for (const table of ['distinct_ids', 'fresh_distinct_ids']) await connection.run(`UPDATE ${table} SET folded = NULL`)
  connection.closeSync()
  instance.closeSync()
}

const ALL = { limit: Number.POSITIVE_INFINITY, withCount: false }

it('people of an earlier version are completed, however often the server is killed', async () => {
  const before = await makeApp({ dataDir: folder() })
  await makePeople(before)
  expect((await before.stores.events.findPersons(1, {}, ALL)).ids).toHaveLength(PERSONS)
  await before.end()
  await forgetColumns()

  const sql = await storeSettings(folder())
  const env = { HEDGEROW_DATA_DIR: folder(), ...sql, HEDGEROW_PORT: '0', KILL_AFTER: 'outbox' }
  const killed = await run(['serve'], { env, nodeArgs: ['--require', PRELOAD] })
  expect(killed.code).toBeNull()

  const app = await makeApp({ dataDir: folder() })
  const { events } = app.stores
  const left = await events.incompletePersons(0, PERSONS)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(PERSONS)
  expect((await events.findPersons(1, { search: 'p-77@' }, ALL)).ids).toHaveLength(1)
  expect((await events.findPersons(1, { search: 'id-1299' }, ALL)).ids).toHaveLength(1)
  await expect(events.findPersons(1, { updatedAfter: 0 }, ALL)).rejects.toMatchObject({ kind: 'unavailable' })

  // The killed server still has its lease on the job.
  app.clock.set(Date.now() + 2 * HOUR)
  await app.runner.runDue()
  expect(await events.incompletePersons(0, PERSONS)).toEqual([])
  expect((await events.findPersons(1, { updatedAfter: 0 }, ALL)).ids).toHaveLength(PERSONS)
  for (const n of [0, 499, 500, 1_299]) {
    const person = await app.stores.persons.findByDistinctId(1, `ID-${n}`)
    const { id: personId, distinctIds: _, ...known } = person ?? { id: 0, distinctIds: [] }
    expect(await events.personOf(1, `ID-${n}`)).toMatchObject({ personId, ...known })
  }
  await app.end()
})
