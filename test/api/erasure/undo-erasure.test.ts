/** What is kept to undo splits and merges is erased with either person: looked for in the tables themselves. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson, makeProject } from '../../support/make.ts'
import { bytesOfRows, withTables } from '../../support/stores/tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const persons = (rest: string, projectId = 1) => `/api/environments/${projectId}/persons/${rest}`
const split = async (id: number, body: object = {}): Promise<Person[]> =>
  (await app.call('POST', persons(`${id}/split/`), { body })).json().split
const merge = async (id: number, person: number): Promise<string> =>
  (await app.call('POST', persons(`${id}/merge/`), { body: { person } })).json().activity_id
const remove = (...ids: number[]) => app.call('POST', persons('bulk_delete/'), { body: { ids } })
const undo = (id: string) => app.call('POST', `/api/environments/1/activity_log/${id}/undo/`)

/** Whether any row but those on their way to the event store has this text. */
const isStored = (text: string) =>
  withTables(app, async (tables) => {
    const others = [...(await tables.columns())].filter(([name]) => name !== 'outbox')
    return (await bytesOfRows({ ...tables, columns: async () => new Map(others) })).includes(text)
  })
const keptRows = () =>
  withTables(app, async ({ value }) => [
    Number(await value('select count(*) from kept_undos')),
    Number(await value('select count(*) from kept_undo_ids')),
  ])

const mergeTwo = async (name: string) => {
  const secret = `secret-of-${name}`
  const own = await makePerson(app, { distinctIds: [`${name}-own`], properties: { plan: 'paid' } })
  const theirs = await makePerson(app, { distinctIds: [`${name}-theirs`], properties: { secret } })
  return { own, theirs, secret, entryId: await merge(own.id, theirs.id) }
}
const settle = () => app.stores.events.personTotals(1, ['nobody'])

it('is gone with the person that stayed', async () => {
  const { own, secret } = await mergeTwo('stayed')
  expect(await keptRows()).toEqual([1, 1])
  await settle()
  expect(await isStored(secret)).toBe(true)
  await remove(own.id)
  await settle()
  expect([await isStored(secret), await isStored('stayed-theirs')]).toEqual([false, false])
  expect(await keptRows()).toEqual([0, 0])
})

it('is gone with who has the ids of the other by now', async () => {
  const { own, secret } = await mergeTwo('split')
  const parted = await split(own.id, { distinct_ids_to_split: ['split-theirs'] })
  expect(await keptRows()).toEqual([2, 2])
  await remove(parted[0]?.id ?? 0)
  expect(await keptRows()).toEqual([0, 0])
  await settle()
  // Its properties and their history are those of the person that stayed by now.
  const rows = await withTables(app, ({ all }) => all('select detail from activity where item_id = ?', String(own.id)))
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${secret}|split-theirs`))
})

it('is gone after the undo, and then nothing of the returned person stays with the other', async () => {
  const { own, secret, entryId } = await mergeTwo('undone')
  const [back] = (await undo(entryId)).json().split
  expect(await keptRows()).toEqual([0, 0])
  await remove(back.id)
  await settle()
  expect([await isStored(secret), await isStored('undone-theirs')]).toEqual([false, false])
  expect(await app.stores.persons.find(1, { id: own.id })).not.toBeNull()
})

it('of a split is gone with the person and with each that was split off', async () => {
  const first = await makePerson(app, { distinctIds: ['a', 'b'] })
  const second = await makePerson(app, { distinctIds: ['c', 'd', 'e'] })
  await split(first.id)
  const [d] = await split(second.id)
  expect(await keptRows()).toEqual([2, 3])
  await remove(d?.id ?? 0)
  expect(await keptRows()).toEqual([1, 1])
  await remove(first.id)
  expect(await keptRows()).toEqual([0, 0])
})

it('stays when another person, or one with the same id in another project, is deleted, or a person only loses its events', async () => {
  const { id: projectId } = await makeProject(app)
  const { own, entryId } = await mergeTwo('kept')
  const namesake = await makePerson(app, { distinctIds: ['kept-theirs'], projectId })
  await app.call('DELETE', persons(`${namesake.id}/`, projectId))
  await remove((await makePerson(app)).id)
  await app.call('DELETE', persons(`${own.id}/?keep_person=true&delete_events=true`))
  expect(await keptRows()).toEqual([1, 1])
  expect((await undo(entryId)).statusCode).toBe(200)
})

it('is gone with its project', async () => {
  const { id: projectId } = await makeProject(app)
  const person = await makePerson(app, { distinctIds: ['x', 'y'], projectId })
  await app.call('POST', persons(`${person.id}/split/`, projectId))
  expect(await keptRows()).toEqual([1, 1])
  await app.call('DELETE', `/api/projects/${projectId}/`)
  expect(await keptRows()).toEqual([0, 0])
})
