/**
 * The people of one project while a batch of events is applied, in order: changed in memory and written back once. Creates, updates and merges as PostHog's ingestion does; collects the rows for the people projection.
 */

import type { Slices } from '../../lib/concurrency/time-slices.ts'
import type { IntakePerson } from '../../model/events/intake.ts'
import type { DistinctIdProjection, PersonProjection } from '../../model/events/outbox.ts'
import type { Properties } from '../../model/persons/person.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { MAX_PROPERTIES_BYTES } from '../../rules/persons/identity.ts'
import { gainedProperties, MOST_MOVED_IDS, mergeChange } from '../../rules/persons/merge.ts'
import { isLegalId } from './illegal-ids.ts'
import { hourOf, isSeenLater, type LoadedPeople, staysPersonless, wantedChanges } from './load-people.ts'
import { bytesOf, growthOf, setProperty } from './person-properties.ts'
import type { ReadyEvent, Warning } from './pipeline.ts'
import { idOf, jsonOf, type LoadedPerson, Unwritten } from './unwritten.ts'

export interface PeopleParts {
  tx: SqlWriters
  projectId: number
  loaded: LoadedPeople
  seq: number
  now: number
  /** One event may bring a lot of work: others run in between. */
  slices: Slices
  warn: (warning: Warning) => void
}

/** Characters of the people that are saved without a break, and what each counts beside its properties. */
const SAVED_AT_ONCE = 200_000
const BESIDE_PROPERTIES = 1_000

export class People {
  readonly #parts: PeopleParts
  readonly #byId: LoadedPeople
  readonly #known = new Map<number, LoadedPerson>()
  /** Of events without a profile, nobody's. */
  readonly #personlessIds = new Set<string>()
  readonly #mappings = new Map<string, LoadedPerson>()
  readonly #unwritten: Unwritten
  #moved = 0

  constructor(parts: PeopleParts) {
    this.#parts = parts
    this.#byId = parts.loaded
    for (const person of parts.loaded.values()) if (person) this.#known.set(idOf(person), person)
    this.#unwritten = new Unwritten(parts.tx, parts.projectId, parts.slices)
  }

  /** Rows that merges have moved, or read in order to move them. */
  get moved(): number {
    return this.#moved
  }

  /** Applies one event; true when it has a person, false when it stays personless. */
  async apply(event: ReadyEvent): Promise<boolean> {
    if (event.mode === 'personless') return this.#personless(event)
    const merged = event.mergeWith === null ? null : await this.#merge(event, event.mergeWith)
    const person = merged ?? this.#find(event.distinctId)
    if (person) this.#update(person, event)
    else this.#create(event, event.distinctId)
    return true
  }

  /** Writes what changed; returns the rows for the projection. */
  async save(): Promise<{ persons: PersonProjection[]; distinctIds: DistinctIdProjection[] }> {
    const { tx, projectId, now, slices } = this.#parts
    if (this.#personlessIds.size > 0) await tx.intake.notePersonless(projectId, [...this.#personlessIds])
    await this.#write()
    const changed = [...this.#known.values()].filter((person) => person.isChanged)
    const unsaved: Omit<IntakePerson, 'uuid'>[] = []
    let length = 0
    for (const person of changed) {
      if (person.isUnsaved && !person.gone) {
        const { isIdentified, createdAt, lastSeenAt } = person
        const row = { id: idOf(person), properties: jsonOf(person), isIdentified, createdAt, lastSeenAt }
        unsaved.push(row)
        length += row.properties.length + BESIDE_PROPERTIES
      }
      if (length >= SAVED_AT_ONCE || slices.isOver) {
        await tx.intake.savePersons(unsaved.splice(0), now)
        length = 0
      }
      if (slices.isOver) await slices.rest()
    }
    await tx.intake.savePersons(unsaved, now)
    const persons = changed.map((person) => ({
      projectId,
      personId: idOf(person),
      uuid: person.uuid,
      properties: person.gone ? '{}' : jsonOf(person),
      createdAt: person.createdAt,
      updatedAt: now,
      lastSeenAt: person.lastSeenAt,
      isIdentified: person.isIdentified,
      deleted: person.gone,
    }))
    const distinctIds = [...this.#mappings].map(([distinctId, person]) => ({
      projectId,
      distinctId,
      personId: idOf(person),
    }))
    return { persons, distinctIds }
  }

  /** Of the id of an applied event, once everything is written; null: nobody. */
  ownerOf(distinctId: string): number | null {
    const person = this.#byId.get(distinctId)
    return person ? idOf(person) : null
  }

  async #write(): Promise<void> {
    for (const person of await this.#unwritten.write(this.#parts.now)) this.#known.set(idOf(person), person)
  }

  #find(distinctId: string): LoadedPerson | null {
    const person = this.#byId.get(distinctId)
    if (person === undefined) throw new Error('The batch was loaded without this id.')
    return person
  }

  #attach(distinctId: string, person: LoadedPerson): void {
    this.#byId.set(distinctId, person)
    this.#mappings.set(distinctId, person)
  }

  /** The same for an id that nobody has. */
  #give(distinctId: string, person: LoadedPerson): void {
    this.#unwritten.addDistinctId(distinctId, person)
    this.#attach(distinctId, person)
  }

  #changed(person: LoadedPerson): void {
    person.isChanged = true
    person.isUnsaved = true
  }

  #personless(event: ReadyEvent): boolean {
    const person = this.#find(event.distinctId)
    if (!person) {
      this.#personlessIds.add(event.distinctId)
      return false
    }
    if (staysPersonless(event, person)) return false
    this.#update(person, event)
    return true
  }

  #create(event: ReadyEvent, nameId: string, isIdentified = false): LoadedPerson {
    const properties: Properties = {}
    for (const given of [event.update.setOnce, event.update.set]) {
      for (const key of Object.keys(given)) setProperty(properties, key, given[key])
    }
    properties.$creator_event_uuid = event.uuid
    const json = JSON.stringify(properties)
    const fits = this.#fits(bytesOf(json), event)
    const person = this.#unwritten.addPerson(nameId, {
      properties: fits ? properties : { $creator_event_uuid: event.uuid },
      json: fits ? json : null,
      isIdentified,
      createdAt: event.timestamp,
      lastSeenAt: hourOf(event.timestamp),
    })
    this.#give(event.distinctId, person)
    this.#note(person, Object.keys(person.properties), event)
    return person
  }

  #update(person: LoadedPerson, event: ReadyEvent): void {
    if (isSeenLater(event, person)) {
      person.lastSeenAt = hourOf(event.timestamp)
      this.#changed(person)
    }
    const changes = wantedChanges(event, person)
    if (changes.size > 0) this.#change(person, changes, [...changes.keys()], event)
  }

  /** Changes the person, unless its properties would become too large; records these keys in the history. */
  #change(person: LoadedPerson, changes: ReadonlyMap<string, unknown>, keys: string[], event: ReadyEvent): void {
    person.bytes ??= bytesOf(jsonOf(person))
    const bytes = person.bytes + growthOf(person.properties, changes)
    if (!this.#fits(bytes, event)) return
    for (const [key, value] of changes) setProperty(person.properties, key, value)
    person.json = null
    person.bytes = bytes
    this.#changed(person)
    this.#note(person, keys, event)
  }

  #fits(bytes: number, event: ReadyEvent): boolean {
    if (bytes <= MAX_PROPERTIES_BYTES) return true
    const details = { distinctId: event.distinctId, eventUuid: event.uuid }
    this.#parts.warn({ type: 'person_properties_too_large', details })
    return false
  }

  #note(person: LoadedPerson, keys: string[], event: ReadyEvent): void {
    const { set: given, setOnce } = event.update
    const set: Properties = {}
    const once: Properties = {}
    const removed: string[] = []
    for (const key of keys) {
      const isOnce = !Object.hasOwn(given, key) && Object.hasOwn(setOnce, key)
      if (!Object.hasOwn(person.properties, key)) removed.push(key)
      else setProperty(isOnce ? once : set, key, person.properties[key])
    }
    const change = { set, once, removed, at: event.timestamp, seq: this.#parts.seq, eventUuid: event.uuid }
    if (keys.length > 0) this.#unwritten.addChange(person, change)
  }

  /** The person after the merge, when the ids may be merged at all. */
  async #merge(event: ReadyEvent, otherId: string): Promise<LoadedPerson | null> {
    const { distinctId: targetId } = event
    if (otherId === targetId) return null
    if (!isLegalId(otherId) || !isLegalId(targetId)) {
      const illegal = isLegalId(otherId) ? targetId : otherId
      const details = {
        illegalDistinctId: illegal,
        otherDistinctId: illegal === otherId ? targetId : otherId,
        eventUuid: event.uuid,
      }
      this.#parts.warn({ type: 'cannot_merge_with_illegal_distinct_id', details })
      return null
    }
    const [target, other] = [this.#find(targetId), this.#find(otherId)]
    if (!target && !other) return this.#createForBoth(event, otherId)
    const survivor = await this.#join(event, otherId, { target, other })
    if (!survivor.isIdentified) {
      survivor.isIdentified = true
      this.#changed(survivor)
    }
    return survivor
  }

  async #wasPersonless(distinctId: string): Promise<boolean> {
    const { tx, projectId } = this.#parts
    return this.#personlessIds.has(distinctId) || (await tx.intake.wasPersonless(projectId, distinctId))
  }

  async #createForBoth(event: ReadyEvent, otherId: string): Promise<LoadedPerson> {
    const onlyOther = (await this.#wasPersonless(otherId)) && !(await this.#wasPersonless(event.distinctId))
    const person = this.#create(event, onlyOther ? otherId : event.distinctId, true)
    this.#give(otherId, person)
    return person
  }

  async #join(
    event: ReadyEvent,
    otherId: string,
    pair: { target: LoadedPerson | null; other: LoadedPerson | null },
  ): Promise<LoadedPerson> {
    const { target, other } = pair
    if (!target || !other) {
      const person = (target ?? other) as LoadedPerson
      this.#give(target ? otherId : event.distinctId, person)
      return person
    }
    if (target === other) return target
    const refuse = (type: string): LoadedPerson => {
      const details = {
        sourcePersonDistinctId: otherId,
        targetPersonDistinctId: event.distinctId,
        eventUuid: event.uuid,
      }
      this.#parts.warn({ type, details })
      return target
    }
    if (other.isIdentified && event.event !== '$merge_dangerously') return refuse('cannot_merge_already_identified')
    // What follows is about rows.
    await this.#write()
    const ids = await this.#parts.tx.intake.distinctIdsOf(idOf(other), MOST_MOVED_IDS + 1)
    this.#moved += ids.length
    if (ids.length > MOST_MOVED_IDS) return refuse('cannot_merge_too_many_distinct_ids')
    await this.#absorb(event, { target, other, ids })
    return target
  }

  /** Everything of `other` becomes the target's; where both have a property the target's stays. */
  async #absorb(event: ReadyEvent, merge: { target: LoadedPerson; other: LoadedPerson; ids: string[] }): Promise<void> {
    const { tx, projectId, now } = this.#parts
    const { target, other, ids } = merge
    this.#moved += (await tx.intake.absorb(projectId, idOf(other), idOf(target))) - ids.length
    other.gone = true
    other.isChanged = true
    for (const distinctId of ids) this.#attach(distinctId, target)
    target.createdAt = Math.min(target.createdAt, other.createdAt)
    this.#changed(target)
    const gained = gainedProperties(target.properties, other.properties)
    // Every key of the other is recorded again, so that replaying the joined history gives the merged properties.
    this.#change(target, gained, Object.keys(other.properties), event)
    const entry = {
      projectId,
      caller: null,
      scope: 'Person',
      itemId: String(idOf(target)),
      activity: 'people_merged_into',
      name: target.uuid,
      changes: [mergeChange(other.uuid, ids)],
    }
    await tx.activity.add(activityEntry(entry, now))
  }
}
