/** Thousands of persons in one transaction, known to both stores. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../src/lib/time/clock.ts'
import type { Person, Properties } from '../../../src/model/persons/person.ts'
import type { Stores } from '../../../src/model/stores.ts'
import { mappingOf, projectionOf, sendPeopleChange } from '../../../src/rules/persons/people-change.ts'

export interface ManyPersons {
  projectId: number
  count: number
  createdAt: (n: number) => number
  properties?: (n: number) => Properties
  /** The beginning of their distinct ids. */
  name?: string
}

export function makePersons(
  { stores, clock }: { stores: Pick<Stores, 'transaction'>; clock: Pick<Clock, 'now'> },
  { projectId, count, createdAt, properties = () => ({}), name = 'id' }: ManyPersons,
): Promise<Person[]> {
  return stores.transaction(async (tx) => {
    const made: Person[] = []
    for (let n = 0; n < count; n++) {
      const facts = {
        uuid: randomUUID(),
        properties: properties(n),
        isIdentified: n % 2 === 0,
        createdAt: createdAt(n),
      }
      made.push(await tx.persons.create({ ...facts, projectId }, [`${name}-${n}`]))
    }
    const seq = await tx.outbox.nextSeq()
    const persons = made.map((person) => projectionOf(person, person.createdAt))
    const distinctIds = made.flatMap((person) => mappingOf(person))
    await sendPeopleChange(tx, { seq, persons, distinctIds }, clock.now())
    return made
  })
}
