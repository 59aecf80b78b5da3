/** The cost of one request that deletes many persons: it does not grow with the data of each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlWriters } from '../../../src/model/stores.ts'
import { makeChange, wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const API = '/api/environments/1/persons'

describe('warnings that mention deleted persons', () => {
  /** How many times `work` searches them, which takes time in proportion to the warnings. */
  async function looks(work: () => Promise<unknown>): Promise<number> {
    const { exclusiveTransaction } = app.stores
    let count = 0
    app.stores.exclusiveTransaction = async (projectIds, inside) => {
      let searches = 0
      const result = await exclusiveTransaction(projectIds, (tx: SqlWriters) => {
        searches = 0
        const { eraseWarnings } = tx.intake
        tx.intake.eraseWarnings = (...given) => {
          searches += 1
          return eraseWarnings(...given)
        }
        return inside(tx)
      })
      count += searches
      return result
    }
    try {
      await work()
    } finally {
      app.stores.exclusiveTransaction = exclusiveTransaction
    }
    return count
  }
  const warned = async (distinctIds: string[]) => {
    await app.stores.transaction(async (tx) => {
      for (const distinctId of distinctIds) {
        const details = { distinctId }
        await tx.intake.addWarnings(1, [{ id: `w-${distinctId}`, type: 'doubted', details, createdAt: 1 }])
      }
    })
  }
  const left = async () => (await app.stores.intake.warnings(1, 'doubted', { limit: 1, offset: 0 })).count
  const people = async (count: number) => {
    const persons = []
    for (let n = 0; n < count; n++) persons.push(await makePerson(app))
    await warned(persons.flatMap((person) => person.distinctIds))
    expect(await left()).toBe(count)
    return persons.map(({ id }) => id)
  }

  it.each([{ keep_person: false }, { keep_person: true }])('are searched once in a bulk with %j', async (more) => {
    const ids = await people(40)
    const body = { ids, delete_events: true, ...more }
    expect(await looks(() => app.call('POST', `${API}/bulk_delete/`, { body }))).toBe(1)
    expect(await left()).toBe(0)
  })

  it('are searched when only the events of a person are deleted', async () => {
    const [id] = await people(1)
    expect(await looks(() => app.call('POST', `${API}/${id}/delete_events/`))).toBe(1)
    expect(await left()).toBe(0)
  })
})

describe('the property history of deleted persons', () => {
  const HISTORY = 3_000
  const withHistory = async () => {
    const person = await makePerson(app)
    const changes = Array.from({ length: HISTORY }, (_, at) => makeChange(person.id, at, { set: { x: at } }))
    await app.stores.transaction((tx) => tx.persons.addHistory(1, changes))
    return person.id
  }

  it('is deleted with a bulk up to 5,000 changes of all of them; the rest by jobs', async () => {
    const ids = [await withHistory(), await withHistory(), await withHistory(), await withHistory()]
    const left = async () => {
      const changes = await Promise.all(ids.map((id) => wholeHistory(app.stores.persons, 1, id)))
      return changes.map((of) => of.length)
    }
    expect((await app.call('POST', `${API}/bulk_delete/`, { body: { ids } })).statusCode).toBe(202)
    expect(await left()).toEqual([0, 1_000, HISTORY, HISTORY])
    await app.runner.runDue()
    expect(await left()).toEqual([0, 0, 0, 0])
  })
})
