/** Merging one person into another by POST persons/{id}/merge/, and what it would do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const url = (id: number | string, rest = '') => `/api/environments/1/persons/${id}/${rest}`
const merge = (id: number | string, body: unknown) => {
  app.clock.advance(1)
  return app.call('POST', url(id, 'merge/'), { body })
}
const read = async (id: number | string) => (await app.call('GET', url(id))).json()
const statusOf = async (id: number | string) => (await app.call('GET', url(id))).statusCode
const entries = async (id: number) => (await app.call('GET', url(id, 'activity/'))).json().results
const eventsOf = async (id: number) => (await app.call('GET', url(id, 'counts/'))).json().events
const foundBy = async (search: string) => {
  const { results } = (await app.call('GET', `/api/environments/1/persons/?search=${search}`)).json()
  return results.map(({ id }: Person) => id)
}

let named = 0
/** Two persons with a property of their own, one alike and one that differs. */
async function pair(): Promise<{ ann: Person; bob: Person }> {
  named += 1
  const ann = await makePerson(app, {
    distinctIds: [`ann-${named}`],
    properties: { plan: 'paid', lang: 'en', only: 'ann' },
    isIdentified: false,
  })
  const bob = await makePerson(app, {
    distinctIds: [`bob-${named}`, `phone-${named}`],
    properties: { plan: 'free', lang: 'en', email: `bob-${named}@example.com` },
    createdAt: app.clock.now() - 86_400_000,
  })
  return { ann, bob }
}

describe('POST persons/{id}/merge/', () => {
  const other = async () => (await makePerson(app)).id
  it('is guarded as every change of a person', async () => {
    for (const preview of [false, true]) {
      const { ann, bob } = await pair()
      const body = { person: bob.id, preview }
      const answer = await app.call('POST', url(ann.id, 'merge/'), { key: null, body })
      expect(answer.statusCode).toBe(401)
    }
  })
  describe('in a preview', () => {
    const given = { person: 0, preview: true }
    beforeAll(async () => {
      given.person = await other()
    })
    const options = { body: given }
    const path = async () => `/persons/${await other()}/merge/`
    itIsGuarded(() => app, { method: 'POST', path, scope: 'person:write', status: 200, options })
    const inProject = (projectId: number) => makePerson(app, { projectId })
    itKnowsItsPersons(() => app, inProject, { method: 'POST', path: (id) => `/persons/${id}/merge/`, options })
  })

  it('makes ids, properties, events, recordings and log of the other its own', async () => {
    const { ann, bob } = await pair()
    const [annId = '', bobId = '', phone = ''] = [...ann.distinctIds, ...bob.distinctIds]
    await makeEvents(app, [{ distinctId: annId }, { distinctId: bobId }, { distinctId: phone }])
    const { sessionId } = await makeRecording(app, { distinctId: 'somebody' })
    const recording = `/api/environments/1/session_recordings/${sessionId}/`
    await app.call('PATCH', recording, { body: { person: bob.id } })
    await app.call('PATCH', url(bob.id), { body: { properties: { noted: true } } })
    const { created_at } = await read(bob.id)
    const answer = await merge(ann.id, { person: bob.uuid })
    expect(answer.statusCode, answer.body).toBe(200)
    const properties = {
      plan: 'paid',
      lang: 'en',
      only: 'ann',
      email: bob.properties.email,
      noted: true,
    }
    const merged = { id: ann.id, uuid: ann.uuid, properties, created_at }
    expect(answer.json()).toMatchObject({
      success: true,
      preview: false,
      person: { ...merged, distinct_ids: [annId, bobId, phone] },
      merged: { id: bob.id, uuid: bob.uuid, distinct_ids: [bobId, phone] },
      properties: {
        added: { email: bob.properties.email, noted: true },
        differing: [{ key: 'plan', person: 'paid', other: 'free' }],
      },
      events: null,
      recordings: null,
    })
    expect(await read(ann.id)).toEqual(answer.json().person)
    expect([await statusOf(bob.id), await statusOf(bob.uuid)]).toEqual([404, 404])
    expect(await eventsOf(ann.id)).toBe(3)
    expect(await foundBy(String(bob.properties.email))).toEqual([ann.id])
    expect((await app.call('GET', recording)).json().person.uuid).toBe(ann.uuid)
    const { results } = (await app.call('GET', `/api/environments/1/persons/?distinct_id=${phone}`)).json()
    expect(results[0]).toMatchObject({ id: ann.id, is_identified: true })
    const [entry, earlier] = await entries(ann.id)
    expect(entry).toMatchObject({
      id: answer.json().activity_id,
      user: { id: 1 },
      activity: 'people_merged_into',
      item_id: String(ann.id),
      can_undo: true,
      detail: {
        name: ann.uuid,
        changes: [
          {
            type: 'Person',
            action: 'merged',
            field: null,
            before: { uuid: bob.uuid },
            after: { distinct_ids: [bobId, phone], distinct_ids_count: 2 },
          },
        ],
      },
    })
    expect(earlier).toMatchObject({ activity: 'updated', item_id: String(ann.id) })
  })

  it('leaves what capture leaves by $merge_dangerously', async () => {
    const [byRequest, byEvent] = [await pair(), await pair()]
    await merge(byRequest.ann.id, { person: byRequest.bob.id })
    const event = {
      event: '$merge_dangerously',
      distinct_id: byEvent.ann.distinctIds[0],
      properties: { alias: byEvent.bob.distinctIds[0] },
    }
    const sent = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch: [event] } })
    expect(sent.statusCode).toBe(200)
    const state = async ({ ann, bob }: { ann: Person; bob: Person }) => {
      const person = await app.stores.persons.find(1, { id: ann.id })
      const history = await wholeHistory(app.stores.persons, 1, ann.id)
      return {
        isIdentified: person?.isIdentified,
        isOld: person?.createdAt === bob.createdAt,
        properties: Object.entries({ ...person?.properties, email: 'bob' }),
        ids: [ann.distinctIds.length, bob.distinctIds.length, person?.distinctIds.length],
        history: history.map(({ set, removed }) => [Object.keys(set).sort(), removed]),
        isGone: await statusOf(bob.id),
      }
    }
    expect(await state(byRequest)).toEqual(await state(byEvent))
  })

  it('tells in a preview what would become of them, and changes nothing', async () => {
    const { ann, bob } = await pair()
    const [annId = '', bobId = '', phone = ''] = [...ann.distinctIds, ...bob.distinctIds]
    await makeEvents(app, [{ distinctId: annId }, { distinctId: bobId }, { distinctId: phone }])
    await makeRecording(app, { distinctId: phone })
    const before = [await read(ann.id), await read(bob.id)]
    const answer = await merge(ann.id, { person: bob.id, preview: true })
    expect(answer.json()).toEqual({
      success: true,
      preview: true,
      person: {
        ...before[0],
        distinct_ids: [annId, bobId, phone],
        properties: { plan: 'paid', lang: 'en', only: 'ann', email: bob.properties.email },
        name: bob.properties.email,
        created_at: before[1].created_at,
      },
      merged: before[1],
      properties: {
        added: { email: bob.properties.email },
        differing: [{ key: 'plan', person: 'paid', other: 'free' }],
      },
      events: { person: 1, other: 2 },
      recordings: { person: 0, other: 1 },
      activity_id: null,
    })
    expect([await read(ann.id), await read(bob.id)]).toEqual(before)
    expect([await entries(ann.id), await entries(bob.id)]).toEqual([[], []])
    const done = (await merge(ann.id, { person: bob.id, preview: false })).json()
    expect(done.person).toEqual(answer.json().person)
  })

  it.each([
    ['nobody', () => ({}), { code: 'required', attr: 'person' }],
    ['null', () => ({ person: null }), { code: 'invalid_input', attr: 'person' }],
    ['an object', () => ({ person: {} }), { code: 'invalid_input', attr: 'person' }],
    ['a fraction', () => ({ person: 1.5 }), { code: 'invalid_input', attr: 'person' }],
    ['no text', () => ({ person: '' }), { code: 'invalid_input', attr: 'person' }],
    ['a distinct id', () => ({ person: 'user_1' }), { code: 'invalid_input', attr: null }],
    ['itself by id', ({ id }: Person) => ({ person: id }), { code: 'invalid_input', attr: 'person' }],
    ['itself by uuid', ({ uuid }: Person) => ({ person: uuid }), { code: 'invalid_input', attr: 'person' }],
    ['a preview that is no boolean', () => ({ person: 1, preview: 7 }), { attr: 'preview' }],
  ])('refuses %s', async (_what, body, problem) => {
    const { ann } = await pair()
    const previews = 'preview' in body(ann) ? [{}] : [{}, { preview: true }]
    for (const preview of previews) {
      const answer = await merge(ann.id, { ...body(ann), ...preview })
      expect(answer.statusCode, answer.body).toBe(400)
      expect(answer.json()).toMatchObject({ type: 'validation_error', ...problem })
    }
    expect(await statusOf(ann.id)).toBe(200)
  })

  it('does not answer with all of an id that is far too long', async () => {
    const { ann } = await pair()
    for (const preview of [false, true]) {
      const answer = await merge(ann.id, { person: 'x'.repeat(1_000_000), preview })
      expect(answer.statusCode).toBe(400)
      expect(answer.body.length).toBeLessThan(1_000)
    }
  })

  it('does not find who is not there, or is another project’s', async () => {
    const { ann } = await pair()
    const elsewhere = await makePerson(app, { projectId: (await makeProject(app)).id })
    for (const person of [elsewhere.id, elsewhere.uuid, 987_654_321, -1, '00000000-0000-0000-0000-000000000000']) {
      for (const preview of [false, true]) expect((await merge(ann.id, { person, preview })).statusCode).toBe(404)
    }
    expect(await app.stores.persons.find(elsewhere.projectId, { id: elsewhere.id })).toEqual(elsewhere)
  })

  it('refuses a person with too many ids, and properties that are too large together', async () => {
    const many = await makePerson(app, { distinctIds: Array.from({ length: 2_001 }, (_, n) => `many-${n}`) })
    const { ann } = await pair()
    const answer = await merge(ann.id, { person: many.id })
    expect([answer.statusCode, answer.json().attr]).toEqual([400, 'person'])
    const large = await Promise.all(
      ['a', 'b'].map((key) => makePerson(app, { properties: { [key]: 'x'.repeat(600_000) } })),
    )
    const together = await merge(large[0]?.id ?? 0, { person: large[1]?.id })
    expect([together.statusCode, together.json().attr]).toEqual([400, 'properties'])
    expect(await statusOf(large[1]?.id ?? 0)).toBe(200)
  })

  it('of two at once in opposite directions does one', async () => {
    const { ann, bob } = await pair()
    const answers = await Promise.all([merge(ann.id, { person: bob.id }), merge(bob.id, { person: ann.id })])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 404])
    const left = await app.stores.persons.findByDistinctId(1, ann.distinctIds[0] ?? '')
    expect(left?.distinctIds.toSorted()).toEqual([...ann.distinctIds, ...bob.distinctIds].sort())
  })
})
