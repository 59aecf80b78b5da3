import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MadeContent, makeEvent, makePerson, toProjection } from '../contract/batch-builders.ts'
import { readContent, rewriteContent, writeContent } from './batch-text.ts'

const anyContent = fc
  .record({
    given: fc.array(
      fc.record({ event: fc.string({ unit: 'binary' }), properties: fc.dictionary(fc.string(), fc.jsonValue()) }),
    ),
    people: fc.array(
      fc.record({
        properties: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        personId: fc.nat(),
        isIdentified: fc.boolean(),
        lastSeenAt: fc.option(fc.nat()),
        deleted: fc.boolean(),
      }),
    ),
    id: fc.string({ unit: 'binary' }),
    owner: fc.option(fc.nat()),
    rest: fc.constantFrom({}, { ownersAt: 0 }, { ownersAt: 7 }),
  })
  .map(
    ({ given, people, id, owner, rest }): MadeContent => ({
      ...rest,
      events: given.map((some) => makeEvent(1, some)),
      persons: people.map((some) =>
        makePerson(1, { ...some, properties: { ...some.properties, [id]: `${id}\n\u2028` } }),
      ),
      distinctIds: [{ projectId: 1, distinctId: id, personId: owner }],
    }),
  )

/** What is read of it, whichever version wrote it. */
const readOf = ({ events, persons, distinctIds, ...rest }: MadeContent) => ({
  ...rest,
  events: events.map((event) => ({ ...event, properties: JSON.stringify(event.properties) })),
  persons: persons.map(toProjection),
  distinctIds,
})

const headsOf = ({ events }: MadeContent) =>
  events.map((event) => [event.projectId, event.uuid, event.event, event.distinctId, event.timestamp, event.sessionId])

/** The format before the present one: persons as they are, in the first line. */
const writeEarlier = (content: MadeContent, persons: object[] = content.persons): string =>
  [
    JSON.stringify({ heads: headsOf(content), persons, distinctIds: content.distinctIds }),
    ...content.events.map(({ properties }) => JSON.stringify(properties)),
  ].join('\n')

describe('a batch', () => {
  it('is read as it was written, whatever the texts contain, and so is what was read', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const text = writeContent({ ...content, persons: content.persons.map(toProjection) })
        expect(readContent(text)).toEqual(readOf(content))
        expect(rewriteContent(readContent(text))).toBe(text)
      }),
    )
  })

  it.each([
    ['the first', 0],
    ['an event', 1],
    ['a person', 3],
  ])('without the line of %s is refused', (_, place) => {
    const persons = [toProjection(makePerson(1)), toProjection(makePerson(1, { personId: 2 }))]
    const text = writeContent({ events: [makeEvent(1)], persons, distinctIds: [] })
    const lines = text.split('\n')
    expect(lines).toHaveLength(4)
    expect(() => readContent(lines.toSpliced(place, 1).join('\n'))).toThrow()
  })

  it('of a newer version is refused', () => {
    const text = writeContent({ events: [makeEvent(1)], persons: [], distinctIds: [] })
    expect(text).toContain('"version":1')
    expect(() => readContent(text.replace('"version":1', '"version":2'))).toThrow('newer version')
  })
})

describe('a batch of an earlier version', () => {
  it('is read the same', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const { ownersAt: _, ...expected } = readOf(content)
        expect(readContent(writeEarlier(content))).toEqual(expected)
        expect(readContent(JSON.stringify(content))).toEqual(expected)
      }),
    )
  })

  it('is read the same without what that version did not know, and says so when it is written again', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const persons = content.persons.map(({ updatedAt: _, lastSeenAt: __, isIdentified: ___, ...person }) => person)
        const { events, persons: all, distinctIds } = readOf(content)
        const unknown = { updatedAt: null, lastSeenAt: null, isIdentified: null }
        const expected = { events, persons: all.map((person) => ({ ...person, ...unknown })), distinctIds }
        const read = readContent(writeEarlier(content, persons))
        expect(read).toEqual(expected)
        expect(readContent(rewriteContent(read))).toEqual(expected)
      }),
    )
  })
})
