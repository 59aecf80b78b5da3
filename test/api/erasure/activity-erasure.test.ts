/** What the log of others contains of a deleted person: after splits and merges, nothing of its distinct ids. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makePerson, makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const persons = (rest: string, projectId = 1) => `/api/environments/${projectId}/persons/${rest}`
const split = async (id: number, body: object = {}, projectId = 1) =>
  (await app.call('POST', persons(`${id}/split/`, projectId), { body })).json().split as { id: number }[]
/** What the entries of a person list, newest first. */
const listed = async (id: number, projectId = 1) => {
  const response = await app.call('GET', persons(`${id}/activity/`, projectId))
  return response
    .json()
    .results.map((entry: { activity: string; detail: { changes: { after: unknown }[] } }) => [
      entry.activity,
      entry.detail.changes[0]?.after,
    ])
}
const everything = async () =>
  (await app.call('GET', persons('activity/?format=csv'))).body + (await app.call('GET', persons('activity/'))).body

const REMOVALS: [how: string, (ids: number[]) => Promise<unknown>][] = [
  ['DELETE', (ids) => Promise.all(ids.map((id) => app.call('DELETE', persons(`${id}/`))))],
  ['bulk_delete', (ids) => app.call('POST', persons('bulk_delete/'), { body: { ids } })],
]

describe.each(REMOVALS)('after %s', (how, remove) => {
  const name = (text: string) => `${text}-${how}@example.com`

  it('the person they were split from shows none of their ids, and still its own', async () => {
    const [a, b, c, d] = [name('a'), name('b'), name('c'), name('d')]
    const { id } = await makePerson(app, { distinctIds: [a, b, c, d] })
    const parted = await split(id, { distinct_ids_to_split: [b, c] })
    expect(await listed(id)).toEqual([['split_person', { distinct_ids: [a, b, c, d], distinct_ids_to_split: [b, c] }]])
    await remove(parted.map((person) => person.id))
    expect(await listed(id)).toEqual([['split_person', { distinct_ids: [a, d], distinct_ids_to_split: [] }]])
    expect(await everything()).not.toMatch(new RegExp(`${b}|${c}`))
  })

  it('the person whose merge brought them shows none of their ids', async () => {
    const [anon, known] = [name('anon'), name('known')]
    const event = (distinctId: string, given: object = {}) => ({ event: 'x', distinct_id: distinctId, ...given })
    const send = (batch: object[]) =>
      app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
    await send([event(anon), event(known)])
    await send([event(known, { event: '$identify', properties: { $anon_distinct_id: anon } })])
    const merged = await app.stores.persons.findByDistinctId(1, anon)
    const id = merged?.id ?? 0
    expect(await listed(id)).toEqual([['people_merged_into', { distinct_ids: [anon], distinct_ids_count: 1 }]])
    const parted = await split(id, { main_distinct_id: known })
    await remove(parted.map((person) => person.id))
    expect(await listed(id)).toEqual([
      ['split_person', { distinct_ids: [known] }],
      ['people_merged_into', { distinct_ids: [], distinct_ids_count: 1 }],
    ])
    expect(await everything()).not.toContain(anon)
  })
})

it('a person that is kept is still named, and so is one of another project', async () => {
  const { id: projectId } = await makeProject(app)
  const ids = ['stays', 'parted']
  const [mine, theirs] = [
    await makePerson(app, { distinctIds: ids }),
    await makePerson(app, { distinctIds: ids, projectId }),
  ]
  const [parted] = await split(mine.id)
  await split(theirs.id, {}, projectId)
  await app.call('DELETE', persons(`${parted?.id}/?keep_person=true&delete_events=true`))
  expect(await listed(mine.id)).toEqual([['split_person', { distinct_ids: ids }]])
  await app.call('DELETE', persons(`${parted?.id}/`))
  expect(await listed(mine.id)).toEqual([['split_person', { distinct_ids: ['stays'] }]])
  expect(await listed(theirs.id, projectId)).toEqual([['split_person', { distinct_ids: ids }]])
})
