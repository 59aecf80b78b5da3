/**
 * What a batch has yet to write: new people, new distinct ids and the property history, gathered in memory and written
 * some hundred rows at a time. A person that the batch changes further is still written once.
 */
import type { Slices } from '../../lib/concurrency/time-slices.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { IntakePerson } from '../../model/events/intake.ts'
import type { Properties, PropertyChange } from '../../model/persons/person.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { isSplitName, personUuid, splitUuids } from '../../rules/persons/identity.ts'

export interface LoadedPerson extends Omit<IntakePerson, 'id' | 'properties'> {
  /** Null until it is written. */
  id: number | null
  /** Its own object, changed in place: copying many properties for each event would block the event loop. */
  properties: Properties
  /** The same as JSON; null where they were changed since it was made. */
  json: string | null
  /** The size of the properties as JSON; null until it is needed. */
  bytes: number | null
  /** Whether the batch changed it, and whether its row still lacks that. */
  isChanged: boolean
  isUnsaved: boolean
  gone: boolean
}

/** The rows that are written without a break; others run in between. */
const AT_ONCE = 200

export function idOf({ id }: LoadedPerson): number {
  if (id === null) throw new Error('The person is not written yet.')
  return id
}

/** Its properties as JSON, which its row and the projection have in common. */
export function jsonOf(person: LoadedPerson): string {
  person.json ??= JSON.stringify(person.properties)
  return person.json
}

type NewChange = Omit<PropertyChange, 'personId'>

type NewRow = Pick<LoadedPerson, 'properties' | 'json' | 'isIdentified' | 'createdAt' | 'lastSeenAt'>

interface NewPerson {
  person: LoadedPerson
  nameId: string
}

export class Unwritten {
  readonly #tx: SqlWriters
  readonly #projectId: number
  readonly #slices: Slices
  #people: NewPerson[] = []
  #ids: { distinctId: string; person: LoadedPerson }[] = []
  #changes: { person: LoadedPerson; change: NewChange }[] = []

  constructor(tx: SqlWriters, projectId: number, slices: Slices) {
    this.#tx = tx
    this.#projectId = projectId
    this.#slices = slices
  }

  /** Its uuid will be the first one derived from its name that no other person has. */
  addPerson(nameId: string, row: NewRow): LoadedPerson {
    const { properties, json, isIdentified, createdAt, lastSeenAt } = row
    // Field by field, as everything that is made for each event: a copy by `...` has a shape of its own.
    const person = {
      id: null,
      uuid: personUuid(this.#projectId, nameId),
      properties,
      json,
      isIdentified,
      createdAt,
      lastSeenAt,
      bytes: null,
      isChanged: true,
      isUnsaved: true,
      gone: false,
    }
    this.#people.push({ person, nameId })
    return person
  }

  addDistinctId(distinctId: string, person: LoadedPerson): void {
    this.#ids.push({ distinctId, person })
  }

  addChange(person: LoadedPerson, change: NewChange): void {
    this.#changes.push({ person, change })
  }

  /** Writes all of it; returns the people, which have their ids now. */
  async write(now: number): Promise<LoadedPerson[]> {
    const [people, ids, changes] = [this.#people, this.#ids, this.#changes]
    this.#people = []
    this.#ids = []
    this.#changes = []
    await this.#inParts(people, (some) => this.#writePeople(some, now))
    await this.#inParts(ids, (some) => {
      const rows = some.map(({ distinctId, person }) => ({ distinctId, personId: idOf(person) }))
      return this.#tx.intake.addDistinctIds(this.#projectId, rows)
    })
    await this.#inParts(changes, (some) => {
      const rows = some.map(({ person, change }) => {
        const { set, once, removed, at, seq, eventUuid } = change
        return { personId: idOf(person), set, once, removed, at, seq, eventUuid }
      })
      return this.#tx.persons.addHistory(this.#projectId, rows)
    })
    return people.map(({ person }) => person)
  }

  async #inParts<T>(rows: T[], write: (some: T[]) => Promise<void>): Promise<void> {
    for (const some of chunks(rows, AT_ONCE)) {
      if (this.#slices.isOver) await this.#slices.rest()
      await write(some)
    }
  }

  async #writePeople(people: NewPerson[], now: number): Promise<void> {
    // One by one where the usual uuid of one may be the other uuid of one before it, which has the first choice.
    const groups = people.some(({ nameId }) => isSplitName(nameId)) ? people.map((person) => [person]) : [people]
    for (const group of groups) await this.#writeGroup(group, now)
  }

  async #writeGroup(people: NewPerson[], now: number): Promise<void> {
    await this.#insert(
      people.map(({ person }) => person),
      now,
    )
    for (const { person, nameId } of people) {
      if (person.isUnsaved) await this.#insertUnderOther(person, nameId, now)
    }
  }

  /** The usual uuid still belongs to a person that the id was split off from. */
  async #insertUnderOther(person: LoadedPerson, nameId: string, now: number): Promise<void> {
    const uuids = splitUuids(this.#projectId, nameId)
    while (person.isUnsaved) {
      person.uuid = uuids.next().value
      await this.#insert([person], now)
    }
  }

  /** Those whose uuid nobody has. */
  async #insert(people: LoadedPerson[], now: number): Promise<void> {
    const rows = people.map((person) => {
      const { uuid, isIdentified, createdAt, lastSeenAt } = person
      return { uuid, properties: jsonOf(person), isIdentified, createdAt, lastSeenAt }
    })
    const ids = await this.#tx.intake.addPersons(this.#projectId, rows, now)
    for (const [place, person] of people.entries()) {
      person.id = ids[place] ?? null
      person.isUnsaved = person.id === null
    }
  }
}
