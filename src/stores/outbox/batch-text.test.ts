import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeEvent, makePerson } from '../contract/batch-builders.ts'
import { readContent, writeContent } from './batch-text.ts'

it('reads a batch of one line, the older format', () => {
  const content = { events: [makeEvent(1, { properties: { a: '\n' } })], persons: [makePerson(1)], distinctIds: [] }
  expect(readContent(JSON.stringify(content))).toEqual(readContent(writeContent(content)))
})

it('returns what was written, whatever the texts contain', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ event: fc.string({ unit: 'binary' }), properties: fc.dictionary(fc.string(), fc.jsonValue()) }),
      ),
      fc.string({ unit: 'binary' }),
      (given, id) => {
        const events = given.map((some) => makeEvent(1, some))
        const persons = [makePerson(1, { properties: { [id]: `${id}\n\u2028` } })]
        const distinctIds = [{ projectId: 1, distinctId: id, personId: null }]
        const read = readContent(writeContent({ events, persons, distinctIds }))
        const texts = events.map((event) => ({ ...event, properties: JSON.stringify(event.properties) }))
        expect(read).toEqual({ events: texts, persons, distinctIds })
      },
    ),
  )
})
