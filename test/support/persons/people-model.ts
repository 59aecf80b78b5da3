/**
 * What persons, their ids and events are after any series of requests: the rules implemented again, as plainly as
 * possible. Uses nothing of the product's code.
 */
import { createHash } from 'node:crypto'

export interface ModelPerson {
  /** As the server returned it; null until then. */
  id: number | null
  uuid: string
  properties: Record<string, unknown>
  isIdentified: boolean
}

export interface Sent {
  uuid: string
  event: string
  id: string
  other?: string
  set?: Record<string, unknown>
  personless?: boolean
}

interface Deletion {
  person: ModelPerson
  /** Of each id: events up to this place are deleted. */
  upTo: Map<string, number>
}

const NAMESPACE = Buffer.from('932979b465c3442484670b66ec27bc22', 'hex')

function uuidV5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export class PeopleModel {
  /** In the order in which they were stored. */
  readonly owners = new Map<string, ModelPerson>()
  readonly events: (Sent & { place: number })[] = []
  readonly #personless = new Set<string>()
  #deletions: Deletion[] = []
  #place = 0

  get persons(): ModelPerson[] {
    return [...new Set(this.owners.values())]
  }

  idsOf(person: ModelPerson): string[] {
    return [...this.owners].filter(([, owner]) => owner === person).map(([id]) => id)
  }

  capture(sent: Sent): void {
    this.#place += 1
    this.events.push({ ...sent, place: this.#place })
    if (sent.personless) {
      if (!this.owners.has(sent.id)) this.#personless.add(sent.id)
      return
    }
    const merged = sent.other === undefined || sent.other === sent.id ? null : this.#merge(sent, sent.other)
    const person = merged ?? this.owners.get(sent.id)
    if (person) Object.assign(person.properties, sent.set)
    else this.#create(sent, sent.id)
  }

  edit(person: ModelPerson, set: Record<string, unknown>, unset: string[]): void {
    Object.assign(person.properties, set)
    for (const key of unset) delete person.properties[key]
  }

  /** False: refused. */
  split(person: ModelPerson, main: string | null, chosen: string[] | null): boolean {
    const ids = this.idsOf(person)
    if (chosen && ids.every((id) => chosen.includes(id))) return false
    const leaving = ids.filter((id) => (chosen ? chosen.includes(id) : id !== (main ?? ids[0])))
    for (const id of leaving) {
      const isNamedAfterIt = person.uuid === uuidV5(`1:${id}`)
      const known = isNamedAfterIt ? undefined : this.persons.find(({ uuid }) => uuid === uuidV5(`1:${id}`))
      const uuid = isNamedAfterIt ? this.#freeUuid(id, 1) : uuidV5(`1:${id}`)
      this.owners.set(id, known ?? { id: null, uuid, properties: {}, isIdentified: false })
    }
    return true
  }

  remove(person: ModelPerson, options: { deleteEvents: boolean; keepPerson: boolean }): void {
    const ids = this.idsOf(person)
    if (options.deleteEvents) {
      const deletion = this.#deletions.find((one) => one.person === person) ?? { person, upTo: new Map() }
      for (const id of ids) deletion.upTo.set(id, this.#place)
      this.#deletions = [...this.#deletions.filter((one) => one !== deletion), deletion]
    }
    if (options.keepPerson) return
    for (const id of ids) {
      this.owners.delete(id)
      this.#personless.delete(id)
    }
  }

  sunday(): void {
    const isGone = ({ id, place }: { id: string; place: number }) =>
      this.#deletions.some(({ upTo }) => place <= (upTo.get(id) ?? 0))
    const left = this.events.filter((event) => !isGone(event))
    this.events.splice(0, this.events.length, ...left)
    this.#deletions = []
  }

  #freeUuid(id: string, from: number): string {
    const taken = new Set(this.persons.map(({ uuid }) => uuid))
    for (let n = from; ; n++) {
      const uuid = uuidV5(`1:${id}${n === 0 ? '' : ':split'}${n < 2 ? '' : `:${n}`}`)
      if (!taken.has(uuid)) return uuid
    }
  }

  #create({ uuid: event, id, set }: Sent, name: string): ModelPerson {
    const properties = { ...set, $creator_event_uuid: event }
    const person = { id: null, uuid: this.#freeUuid(name, 0), properties, isIdentified: false }
    this.owners.set(id, person)
    return person
  }

  #merge(sent: Sent, other: string): ModelPerson {
    const [mine, theirs] = [this.owners.get(sent.id), this.owners.get(other)]
    const kept = mine ?? theirs ?? this.#createForBoth(sent, other)
    if (!mine) this.owners.set(sent.id, kept)
    if (!theirs) this.owners.set(other, kept)
    const mayAbsorb = !theirs?.isIdentified || sent.event === '$merge_dangerously'
    if (mine && theirs && mine !== theirs && mayAbsorb) {
      mine.properties = { ...theirs.properties, ...mine.properties }
      for (const id of this.idsOf(theirs)) this.owners.set(id, mine)
    }
    kept.isIdentified = true
    return kept
  }

  #createForBoth(sent: Sent, other: string): ModelPerson {
    const onlyOther = this.#personless.has(other) && !this.#personless.has(sent.id)
    return this.#create(sent, onlyOther ? other : sent.id)
  }
}
