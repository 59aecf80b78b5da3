/** Merges a person into another, or tells what would become of them. */
import { isDeepStrictEqual } from 'node:util'
import { invalid, required } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { Person, PersonRef } from '../../../model/persons/person.ts'
import type { Stores } from '../../../model/stores.ts'
import { gainedProperties } from '../../../rules/persons/merge.ts'
import { findPair, mergedPerson, mergePersons, type Pair } from '../merge-persons.ts'
import { found, readPersonRef } from '../person-id.ts'
import { viewPerson } from '../person-view.ts'

export interface MergeParts {
  stores: Pick<Stores, 'persons' | 'events' | 'recordings' | 'peopleTransaction'>
  clock: Clock
}

/** Integer id or UUID, as in the path. */
function readOther(person: unknown): PersonRef {
  if (person === undefined) throw required('person')
  const isInteger = typeof person === 'number' && Number.isInteger(person)
  if (!isInteger && (typeof person !== 'string' || person === '')) {
    throw invalid('Must be the integer id or the UUID of a person.', 'person')
  }
  return readPersonRef(String(person))
}

/** Of the properties that both have, those with different values. */
function differing({ stays, goes }: Pair): { key: string; person: unknown; other: unknown }[] {
  return Object.entries(goes.properties)
    .filter(([key]) => Object.hasOwn(stays.properties, key))
    .map(([key, other]) => ({ key, person: stays.properties[key], other }))
    .filter(({ person, other }) => !isDeepStrictEqual(person, other))
}

function viewMerge(project: Project, pair: Pair, person: Person) {
  const added = Object.fromEntries(gainedProperties(pair.stays.properties, pair.goes.properties))
  return {
    success: true,
    person: viewPerson(project, person),
    merged: viewPerson(project, pair.goes),
    properties: { added, differing: differing(pair) },
  }
}

export function createPersonMerge({ stores, clock }: MergeParts) {
  /** How many events and recordings each has. */
  const countsOf = async ({ stays, goes }: Pair, signal: AbortSignal) => {
    const now = clock.now()
    const each = [stays, goes].map(async ({ projectId, id, distinctIds }) => {
      const [{ events }, { count }] = await Promise.all([
        stores.events.personTotals(projectId, distinctIds, signal),
        stores.recordings.totalsOf(projectId, id, now, signal),
      ])
      return { events, recordings: count }
    })
    const [person, other] = (await Promise.all(each)) as [Awaited<(typeof each)[0]>, Awaited<(typeof each)[0]>]
    return {
      events: { person: person.events, other: other.events },
      recordings: { person: person.recordings, other: other.recordings },
    }
  }
  return {
    async previewMerge(project: Project, id: string, other: unknown, signal: AbortSignal) {
      const [ref, otherRef] = [readPersonRef(id), readOther(other)]
      const stays = found(await stores.persons.find(project.id, ref))
      const goes = found(await stores.persons.find(project.id, otherRef))
      const pair = { stays, goes }
      const merge = viewMerge(project, pair, mergedPerson(pair))
      return { ...merge, preview: true, ...(await countsOf(pair, signal)), activity_id: null }
    },
    merge(actor: Actor, id: string, other: unknown) {
      const [ref, otherRef] = [readPersonRef(id), readOther(other)]
      const { project } = actor
      return stores.peopleTransaction([project.id], async (tx) => {
        const pair = await findPair(tx, project.id, ref, otherRef)
        const { person, activityId } = await mergePersons(tx, actor, pair, clock.now())
        const merge = viewMerge(project, pair, person)
        return { ...merge, preview: false, events: null, recordings: null, activity_id: activityId }
      })
    },
  }
}
