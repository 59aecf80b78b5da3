/** POST activity_log/{id}/undo/: changes of properties, splits and merges, and what stands in the way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { activityEntry } from '../../../src/rules/activity/activity-entry.ts'
import { wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const API = '/api/environments/1'
const url = (id: number | string, rest = '') => `${API}/persons/${id}/${rest}`
const read = async (id: number | string) => (await app.call('GET', url(id))).json()
const statusOf = async (id: number | string) => (await app.call('GET', url(id))).statusCode
const entries = async (id: number | string) => (await app.call('GET', url(id, 'activity/?limit=100'))).json().results
const newest = async (id: number | string) => (await entries(id))[0]
/** A change a moment after the one before, so that their entries have an order. */
const change = (method: string, path: string, body?: unknown) => {
  app.clock.advance(1)
  return app.call(method, path, { body })
}
const undo = (id: string) => change('POST', `${API}/activity_log/${id}/undo/`)
/** Undoes the newest entry of a person. */
const undoLast = async (id: number | string) => undo((await newest(id)).id)
const patch = (id: number, properties: object) => change('PATCH', url(id), { properties })
const split = async (id: number, body: object = {}): Promise<Person[]> =>
  (await change('POST', url(id, 'split/'), body)).json().split
const merge = async (id: number, person: number): Promise<{ person: Person; activity_id: string }> =>
  (await change('POST', url(id, 'merge/'), { person })).json()
const send = (...batch: object[]) => app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
const eventsOf = async (id: number) => (await app.call('GET', url(id, 'counts/'))).json().events
const ownerOf = async (distinctId: string) => (await app.stores.persons.findByDistinctId(1, distinctId))?.id
const foundBy = async (search: string) => {
  const { results } = (await app.call('GET', `${API}/persons/?search=${search}`)).json()
  return results.map(({ id }: Person) => id)
}

async function expectConflict(answer: Awaited<ReturnType<typeof undo>>, ...words: string[]): Promise<void> {
  expect(answer.statusCode, answer.body).toBe(409)
  expect(answer.json()).toMatchObject({ type: 'invalid_request', code: 'conflict', attr: null })
  for (const word of words) expect(answer.json().detail).toContain(word)
}

let counter = 0
/** A new id for each call. */
const fresh = (name: string): string => `${name}-${++counter}`

describe('the route', () => {
  const edited = async () => {
    const person = await makePerson(app)
    await patch(person.id, { n: 1 })
    return (await newest(person.id)).id as string
  }
  const path = async () => `/activity_log/${await edited()}/undo/`
  itIsGuarded(() => app, { method: 'POST', path, scope: 'person:write', status: 200 })

  it.each(['nothing', '1', '00000000-0000-0000-0000-000000000000'])('does not find %s', async (id) => {
    expect((await undo(id)).statusCode).toBe(404)
  })

  it('does not find entries of another project, and changes nothing there', async () => {
    const { id: projectId } = await makeProject(app)
    const person = await makePerson(app, { projectId })
    const there = `/api/environments/${projectId}`
    await app.call('PATCH', `${there}/persons/${person.id}/`, { body: { properties: { n: 1 } } })
    const [entry] = (await app.call('GET', `${there}/activity_log/`)).json().results
    expect((await undo(entry.id)).statusCode).toBe(404)
    expect((await app.stores.persons.find(projectId, { id: person.id }))?.properties).toEqual({ n: 1 })
    expect((await app.call('POST', `${there}/activity_log/${entry.id}/undo/`)).statusCode).toBe(200)
  })

  it('refuses entries of other kinds, and does not know those that the log does not show', async () => {
    const { organizationId = '' } = (await app.stores.projects.find(1)) ?? {}
    const subject = { caller: null, scope: 'PersonalAPIKey', itemId: '1', name: null, changes: null }
    const wide = activityEntry({ ...subject, projectId: null, organizationId, activity: 'created' }, app.clock.now())
    const own = activityEntry({ ...subject, scope: 'Insight', projectId: 1, activity: 'updated' }, app.clock.now())
    await app.stores.transaction(async (tx) => {
      for (const entry of [wide, own]) await tx.activity.add(entry)
    })
    await expectConflict(await undo(wide.id), 'created')
    await expectConflict(await undo(own.id), 'updated')
    const key = await makeKey(app, { scopedTeams: [1] })
    expect((await app.call('POST', `${API}/activity_log/${wide.id}/undo/`, { key })).statusCode).toBe(404)
  })
})

describe('a change of properties', () => {
  it('is undone: earlier values return, null and absence included', async () => {
    const person = await makePerson(app, { properties: { plan: 'free', empty: null, list: [1] } })
    await patch(person.id, { plan: 'paid', empty: 'full', list: { a: 1 }, added: true })
    const entry = await newest(person.id)
    expect(entry.can_undo).toBe(true)
    await patch(person.id, { other: 'kept' })
    const answer = await undo(entry.id)
    expect(answer.statusCode, answer.body).toBe(200)
    const properties = { plan: 'free', empty: null, list: [1], other: 'kept' }
    expect(answer.json()).toEqual({ success: true, person: await read(person.id), split: [] })
    expect((await read(person.id)).properties).toEqual(properties)
    const [undone, , before] = await entries(person.id)
    expect(undone).toMatchObject({ activity: 'updated', user: { id: 1 }, can_undo: false })
    expect(undone.detail.trigger).toEqual({ job_type: 'undo', job_id: entry.id, payload: {} })
    expect(undone.detail.changes).toContainEqual({
      type: 'Person',
      action: 'deleted',
      field: 'properties',
      key: 'added',
      before: true,
      after: null,
    })
    expect([before.id, before.can_undo]).toEqual([entry.id, false])
    const at = new Date(app.clock.now()).toISOString()
    const past = await app.call('GET', `${API}/persons/properties_at_time/?person_id=${person.id}&timestamp=${at}`)
    expect(past.json().properties).toEqual(properties)
    await expectConflict(await undo(entry.id), 'undone already')
    await expectConflict(await undo(undone.id), 'cannot be undone')
  })

  it('is undone after update_property and delete_property, of any key', async () => {
    const person = await makePerson(app, { properties: { a: 1, b: { c: [] } } })
    await change('POST', url(person.id, 'update_property/'), { key: '__proto__', value: 'x' })
    await undoLast(person.id)
    expect(Object.keys((await read(person.id)).properties)).toEqual(['a', 'b'])
    await change('POST', url(person.id, 'delete_property/'), { $unset: ['a', 'b'] })
    expect((await read(person.id)).properties).toEqual({})
    expect((await undoLast(person.id)).statusCode).toBe(200)
    expect((await read(person.id)).properties).toEqual({ a: 1, b: { c: [] } })
    expect(await foundBy(person.uuid)).toEqual([person.id])
  })

  it('is not undone where a value has changed since, and then no other is', async () => {
    const person = await makePerson(app, { properties: { a: 1, b: 1, c: 1 } })
    await change('POST', url(person.id, 'delete_property/'), { $unset: ['c'] })
    const deletion = await newest(person.id)
    await patch(person.id, { a: 2, b: 2, d: null })
    const edit = await newest(person.id)
    await patch(person.id, { b: 3, c: null })
    await expectConflict(await undo(edit.id), "'b'")
    await expectConflict(await undo(deletion.id), "'c'")
    await change('POST', url(person.id, 'delete_property/'), { $unset: ['d'] })
    await expectConflict(await undo(edit.id), "'b', 'd'")
    expect((await read(person.id)).properties).toEqual({ a: 2, b: 3, c: null })
    await patch(person.id, { b: 2, d: null })
    expect((await undo(edit.id)).statusCode).toBe(200)
    expect((await read(person.id)).properties).toEqual({ a: 1, b: 1, c: null })
  })

  it('names at most the beginning of what stands in the way', async () => {
    const person = await makePerson(app)
    const long = 'k'.repeat(100_000)
    await patch(person.id, { [long]: 1 })
    const entry = await newest(person.id)
    await patch(person.id, { [long]: 2 })
    const answer = await undo(entry.id)
    await expectConflict(answer, "'kkk")
    expect(answer.body.length).toBeLessThan(1_000)
  })

  it('is not undone when the properties would be too large, or the person is gone', async () => {
    const large = 'x'.repeat(600_000)
    const person = await makePerson(app, { properties: { large } })
    await patch(person.id, { large: 1 })
    const entry = await newest(person.id)
    await patch(person.id, { more: large })
    await expectConflict(await undo(entry.id), 'too large')
    await change('DELETE', url(person.id))
    await expectConflict(await undo(entry.id), 'deleted')
    const { results } = (await app.call('GET', `${API}/activity_log/?item_id=${person.id}`)).json()
    expect(results.map((one: { can_undo: boolean }) => one.can_undo)).toEqual([false, false, false])
  })

  it('of two undos at once is undone by one', async () => {
    const person = await makePerson(app, { properties: { a: 1 } })
    await patch(person.id, { a: 2 })
    const { id } = await newest(person.id)
    const answers = await Promise.all(Array.from({ length: 4 }, () => undo(id)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409, 409])
    expect(await entries(person.id)).toHaveLength(2)
  })
})

describe('a split', () => {
  /** A person with three ids, of which two are split off. */
  async function parted() {
    const ids = [fresh('main'), fresh('left'), fresh('right')] as [string, string, string]
    const person = await makePerson(app, { distinctIds: ids, properties: { plan: 'free', $os: 'Linux' } })
    await makeEvents(
      app,
      ids.map((distinctId) => ({ distinctId })),
    )
    const [left, right] = (await split(person.id)) as [Person, Person]
    return { ids, person, left, right, entry: await newest(person.id) }
  }

  it('is undone: the ids return with their events, and the persons that it made are gone', async () => {
    const { ids, person, left, right, entry } = await parted()
    expect([entry.activity, entry.can_undo, await eventsOf(person.id)]).toEqual(['split_person', true, 1])
    const answer = await undo(entry.id)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toEqual({ success: true, person: await read(person.id), split: [] })
    expect(await read(person.id)).toMatchObject({ uuid: person.uuid, distinct_ids: ids, properties: person.properties })
    expect([await statusOf(left.id), await statusOf(right.id), await eventsOf(person.id)]).toEqual([404, 404, 3])
    expect(await foundBy(ids[1])).toEqual([person.id])
    const [undone] = await entries(person.id)
    expect(undone).toMatchObject({ activity: 'people_merged_into', can_undo: false })
    expect(undone.detail.trigger.job_id).toBe(entry.id)
    expect(undone.detail.changes.map((change: { after: object }) => change.after)).toEqual([
      { distinct_ids: [ids[1]], distinct_ids_count: 1 },
      { distinct_ids: [ids[2]], distinct_ids_count: 1 },
    ])
    await expectConflict(await undo(entry.id), 'undone already')
    await expectConflict(await undo(undone.id), 'cannot be undone')
    const again = (await split(person.id))[0] as Person
    expect(again.id).toBeGreaterThan(right.id)
  })

  it('takes back what the persons got since: properties, events, recordings and their log', async () => {
    const { ids, person, left, entry } = await parted()
    await patch(left.id, { plan: 'free', since: 'then' })
    await send({ event: 'seen', distinct_id: ids[2], properties: { $set: { $os: 'iOS', city: 'Graz' } } })
    const { sessionId } = await makeRecording(app, { distinctId: 'somebody' })
    await app.call('PATCH', `${API}/session_recordings/${sessionId}/`, { body: { person: left.id } })
    expect((await undo(entry.id)).statusCode).toBe(200)
    expect((await read(person.id)).properties).toEqual({ plan: 'free', $os: 'Linux', since: 'then', city: 'Graz' })
    expect(await eventsOf(person.id)).toBe(4)
    const recording = (await app.call('GET', `${API}/session_recordings/${sessionId}/`)).json()
    expect(recording.person.uuid).toBe(person.uuid)
    const activities = (await entries(person.id)).map(({ activity }: { activity: string }) => activity)
    expect(activities).toEqual(['people_merged_into', 'updated', 'split_person'])
  })

  it('only takes the id back from a person that was there before', async () => {
    const [one, two] = [fresh('one'), fresh('two')]
    const person = await makePerson(app, { distinctIds: [fresh('first')] })
    const there = await makePerson(app, { distinctIds: [two, one], properties: { own: true } })
    await app.stores.transaction((tx) => tx.persons.moveDistinctIds(1, [two], person.id))
    const [target] = await split(person.id, { distinct_ids_to_split: [two] })
    expect(target?.id).toBe(there.id)
    const answer = await undoLast(person.id)
    expect(answer.json().split).toEqual([await read(there.id)])
    expect(await read(there.id)).toMatchObject({ distinct_ids: [one], properties: { own: true } })
    expect(await ownerOf(two)).toBe(person.id)
  })

  it('is not undone when an id has moved on', async () => {
    const { ids, left, right, entry } = await parted()
    await merge(right.id, left.id)
    await expectConflict(await undo(entry.id), `'${ids[1]}'`)
    expect(await ownerOf(ids[2])).toBe(right.id)
    const merged = await newest(right.id)
    expect((await undo(merged.id)).statusCode).toBe(200)
    await expectConflict(await undo(entry.id), `'${ids[1]}'`)
  })

  it('is not undone when a person has other ids or other values since', async () => {
    const { ids, person, left, entry } = await parted()
    const known = fresh('known')
    await send({ event: '$identify', distinct_id: known, properties: { $anon_distinct_id: ids[1] } })
    await expectConflict(await undo(entry.id), `'${known}'`)
    await split(left.id, { distinct_ids_to_split: [known] })
    await patch(left.id, { plan: 'paid' })
    await expectConflict(await undo(entry.id), "'plan'")
    expect(await ownerOf(ids[1])).toBe(left.id)
    await patch(person.id, { plan: 'paid' })
    expect((await undo(entry.id)).statusCode).toBe(200)
  })

  it('is not undone when its person was merged into another, or one of them is deleted', async () => {
    const [first, second, third] = [await parted(), await parted(), await parted()]
    const target = await makePerson(app)
    const { activity_id: id } = await merge(target.id, first.person.id)
    await expectConflict(await undo(first.entry.id), 'merged into another')
    const [back] = (await undo(id)).json().split
    expect((await undo(first.entry.id)).json().person).toMatchObject({ id: back.id, distinct_ids: first.ids })
    await change('DELETE', url(second.person.id))
    await expectConflict(await undo(second.entry.id), 'deleted')
    await change('DELETE', url(third.left.id))
    await expectConflict(await undo(third.entry.id), 'deleted')
    expect((await newest(third.person.id)).can_undo).toBe(false)
    expect(await ownerOf(third.ids[2])).toBe(third.right.id)
  })

  it('of an earlier version is not undone, as nothing was kept', async () => {
    const subject = { caller: null, scope: 'Person', itemId: '1', name: null, changes: null }
    const entry = activityEntry({ ...subject, projectId: 1, activity: 'split_person' }, app.clock.now())
    await app.stores.transaction((tx) => tx.activity.add(entry))
    await expectConflict(await undo(entry.id), 'Nothing is kept')
  })

  it('of two undos at once is undone by one', async () => {
    const { ids, person, entry } = await parted()
    const answers = await Promise.all([undo(entry.id), undo(entry.id)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    expect((await read(person.id)).distinct_ids).toEqual(ids)
  })
})

describe('a merge', () => {
  async function merged() {
    const ids = [fresh('own'), fresh('theirs'), fresh('phone')] as [string, string, string]
    const now = app.clock.now()
    const own = await makePerson(app, {
      distinctIds: [ids[0]],
      properties: { plan: 'paid', only: 'own' },
      isIdentified: false,
    })
    const theirs = await makePerson(app, {
      distinctIds: ids.slice(1),
      properties: { plan: 'free', email: `${ids[1]}@example.com`, $os: 'iOS' },
      createdAt: now - 86_400_000,
    })
    await patch(theirs.id, { noted: [1] })
    await makeEvents(
      app,
      ids.map((distinctId) => ({ distinctId })),
    )
    const { sessionId } = await makeRecording(app, { distinctId: 'somebody' })
    await app.call('PATCH', `${API}/session_recordings/${sessionId}/`, { body: { person: theirs.id } })
    const before = [await read(own.id), await read(theirs.id)]
    const { activity_id: entryId } = await merge(own.id, theirs.id)
    return { ids, own, theirs, before, sessionId, entryId }
  }

  it('is undone: the other returns with all it had, under a new integer id', async () => {
    const { ids, own, theirs, before, sessionId, entryId } = await merged()
    const answer = await undo(entryId)
    expect(answer.statusCode, answer.body).toBe(200)
    const [returned] = answer.json().split
    expect(returned.id).toBeGreaterThan(theirs.id)
    expect(returned).toEqual({ ...before[1], id: returned.id })
    expect(answer.json().person).toEqual(before[0])
    expect([await read(own.id), await read(theirs.uuid)]).toEqual([before[0], returned])
    expect([await statusOf(theirs.id), await eventsOf(own.id), await eventsOf(returned.id)]).toEqual([404, 1, 2])
    expect(await foundBy(`${ids[1]}@example.com`)).toEqual([returned.id])
    const recording = (await app.call('GET', `${API}/session_recordings/${sessionId}/`)).json()
    expect(recording.person.uuid).toBe(theirs.uuid)
    const stored = await app.stores.persons.find(1, { id: own.id })
    expect([stored?.isIdentified, stored?.createdAt]).toEqual([false, own.createdAt])
    const histories = [
      await wholeHistory(app.stores.persons, 1, own.id),
      await wholeHistory(app.stores.persons, 1, returned.id),
    ]
    expect(histories[1]?.map(({ set }) => Object.keys(set))).toEqual([
      ['plan', 'email', '$os'],
      ['noted'],
      ['plan', 'email', '$os', 'noted'],
    ])
    expect(histories[0]?.map(({ set }) => set)).toEqual([own.properties, { plan: 'paid' }, {}])
    expect(histories[0]?.at(-1)?.removed.toSorted()).toEqual(['$os', 'email', 'noted'])
    expect(await entries(returned.id)).toMatchObject([{ activity: 'updated', can_undo: true }])
    const [undone, entry] = await entries(own.id)
    expect(undone).toMatchObject({ activity: 'split_person', can_undo: false, detail: { name: own.uuid } })
    expect(undone.detail.trigger.job_id).toBe(entryId)
    expect(undone.detail.changes[0].after).toEqual({ distinct_ids: ids, distinct_ids_to_split: ids.slice(1) })
    expect([entry.id, entry.can_undo]).toEqual([entryId, false])
    await expectConflict(await undo(entryId), 'undone already')
    await expectConflict(await undo(undone.id), 'cannot be undone')
    expect((await undoLast(returned.id)).json().person.properties.noted).toBeUndefined()
  })

  it('leaves each as it was seen and made before, unless it was seen since', async () => {
    const [own, other] = [fresh('own'), fresh('other')]
    const at = (hoursAgo: number) => new Date(app.clock.now() - hoursAgo * 3_600_000).toISOString()
    const seen = (distinct_id: string, hoursAgo: number) =>
      send({ event: 'seen', distinct_id, timestamp: at(hoursAgo) })
    await seen(own, 50)
    await seen(other, 20)
    const [stays, goes] = [(await ownerOf(own)) ?? 0, (await ownerOf(other)) ?? 0]
    const times = async (distinctId: string) => {
      const { results } = (await app.call('GET', `${API}/persons/?distinct_id=${distinctId}`)).json()
      return [results[0].created_at, results[0].last_seen_at]
    }
    const before = [await times(own), await times(other)]
    const { activity_id: first } = await merge(stays, goes)
    const [returned] = (await undo(first)).json().split
    expect([await times(own), await times(other)]).toEqual(before)
    const { activity_id: second } = await merge(stays, returned.id)
    await seen(own, 1)
    const latest = await times(own)
    await undo(second)
    expect([await times(own), await times(other)]).toEqual([[before[0]?.[0], latest[1]], before[1]])
  })

  it.each([[[0, 1]], [[1, 0]]])('of two into one person is undone in any order: %j', async (order) => {
    const now = app.clock.now()
    const day = 86_400_000
    const make = (name: string, age: number, properties: object) =>
      makePerson(app, {
        distinctIds: [fresh(name)],
        createdAt: now - age * day,
        properties: { ...properties },
        isIdentified: false,
      })
    const own = await make('own', 1, { own: true })
    const others = [
      await make('first', 2, { plan: 'free', lang: 'en', city: 'Graz' }),
      await make('second', 3, { plan: 'paid', lang: 'en', own: false }),
    ] as [Person, Person]
    const stored = () => app.stores.persons.find(1, { id: own.id })
    const before = await stored()
    const merges = [await merge(own.id, others[0].id), await merge(own.id, others[1].id)]
    expect(merges[1]?.person.properties).toEqual({ own: true, plan: 'free', lang: 'en', city: 'Graz' })
    for (const [place, which] of order.entries()) {
      const answer = await undo(merges[which]?.activity_id ?? '')
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json().split[0].properties).toEqual(others[which]?.properties)
      // The other one is merged still, as if it had been the only one.
      const [left] = others.filter((_, nth) => place === 0 && nth !== which)
      if (left) {
        const together = { ...left.properties, own: true }
        expect(await stored()).toMatchObject({ properties: together, createdAt: left.createdAt, isIdentified: true })
        expect((await stored())?.properties).toEqual(together)
      }
    }
    expect(await stored()).toEqual(before)
  })

  it('leaves with the person that stayed what was changed since', async () => {
    const { ids, own, before, entryId } = await merged()
    await patch(own.id, { $os: 'Linux', later: 1 })
    await send({ event: 'seen', distinct_id: ids[1], properties: { $set: { plan: 'gold' } } })
    const [returned] = (await undo(entryId)).json().split
    expect((await read(own.id)).properties).toEqual({ plan: 'gold', only: 'own', $os: 'Linux', later: 1 })
    expect((await read(returned.id)).properties).toEqual(before[1].properties)
    expect(await eventsOf(returned.id)).toBe(3)
  })

  it('is undone in the opposite order of merges, and in no other', async () => {
    const inner = await merged()
    const outer = await makePerson(app)
    const { activity_id: outerId } = await merge(outer.id, inner.own.id)
    await expectConflict(await undo(inner.entryId), 'merged into another')
    const [back] = (await undo(outerId)).json().split
    expect(back.distinct_ids).toEqual(inner.ids)
    const [returned] = (await undo(inner.entryId)).json().split
    expect(returned).toEqual({ ...inner.before[1], id: returned.id })
    expect(await read(back.id)).toEqual({ ...inner.before[0], id: back.id })
  })

  it('is not undone when an id has moved on, until it is back', async () => {
    const { ids, own, entryId } = await merged()
    await split(own.id, { distinct_ids_to_split: [ids[2]] })
    await expectConflict(await undo(entryId), `'${ids[2]}'`)
    expect((await undoLast(own.id)).statusCode).toBe(200)
    expect((await undo(entryId)).statusCode).toBe(200)
  })

  it('is not undone when its person is deleted, or an id of the other', async () => {
    const [first, second] = [await merged(), await merged()]
    await change('DELETE', url(first.own.id))
    await expectConflict(await undo(first.entryId), 'deleted')
    await send({ event: 'seen', distinct_id: first.ids[1] })
    await expectConflict(await undo(first.entryId), 'deleted')
    const [off] = await split(second.own.id, { distinct_ids_to_split: [second.ids[1]] })
    await change('DELETE', url(off?.id ?? 0))
    await expectConflict(await undo(second.entryId), 'deleted')
    expect((await entries(second.own.id)).map((entry: { can_undo: boolean }) => entry.can_undo)).toEqual([
      false,
      false,
      true,
    ])
  })

  it('by an event is not undone', async () => {
    const [known, anonymous] = [fresh('known'), fresh('anonymous')]
    await send({ event: 'seen', distinct_id: known }, { event: 'seen', distinct_id: anonymous })
    await send({ event: '$identify', distinct_id: known, properties: { $anon_distinct_id: anonymous } })
    const id = (await ownerOf(anonymous)) ?? 0
    const entry = await newest(id)
    expect([entry.activity, entry.can_undo]).toEqual(['people_merged_into', false])
    await expectConflict(await undo(entry.id), 'made by an event')
  })

  it('of two undos at once is undone by one', async () => {
    const { ids, own, entryId } = await merged()
    const answers = await Promise.all([undo(entryId), undo(entryId)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    expect((await read(own.id)).distinct_ids).toEqual([ids[0]])
  })

  it('is undone while events of its ids arrive', async () => {
    const { ids, own, entryId } = await merged()
    const sent = Array.from({ length: 10 }, (_, n) => send({ event: 'seen', distinct_id: ids[n % 3] }))
    const [answer] = await Promise.all([undo(entryId), ...sent])
    expect(answer.statusCode, answer.body).toBe(200)
    const [returned] = answer.json().split
    expect([await eventsOf(own.id), await eventsOf(returned.id)]).toEqual([5, 8])
  })
})
