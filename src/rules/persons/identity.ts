/** Identity: the deterministic uuid of a person, and the differences that a change of properties makes. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../lib/errors.ts'
import { uuidV5 } from '../../lib/ids.ts'
import type { Properties } from '../../model/persons/person.ts'

const PERSON_NAMESPACE = '932979b4-65c3-4424-8467-0b66ec27bc22'

/** UTF-8 size of one person's properties as JSON. */
export const MAX_PROPERTIES_BYTES = 1_000_000

/** The uuid of a person with this first distinct id; the same on every server. */
export const personUuid = (projectId: number, distinctId: string): string =>
  uuidV5(PERSON_NAMESPACE, `${projectId}:${distinctId}`)

/** The uuid for an id that is split off from the person that has the id's personUuid. */
export const splitUuid = (projectId: number, distinctId: string): string =>
  uuidV5(PERSON_NAMESPACE, `${projectId}:${distinctId}:split`)

/**
 * Candidate uuids for a person of a split-off id, or of a new one whose usual uuid is taken, in order of preference;
 * infinite, because earlier ones may be taken.
 */
export function* splitUuids(projectId: number, distinctId: string): Generator<string> {
  yield splitUuid(projectId, distinctId)
  for (let nth = 2; ; nth++) yield uuidV5(PERSON_NAMESPACE, `${projectId}:${distinctId}:split:${nth}`)
}

/** Whether a distinct id looks like what the uuid of a person that was split off is made of. */
export const isSplitName = (distinctId: string): boolean => /:split(:\d+)?$/.test(distinctId)

/** One property that differs; `undefined` means that the key is absent on that side. */
export interface PropertyDifference {
  key: string
  before: unknown
  after: unknown
}

export interface PropertyUpdate {
  properties: Properties
  differences: PropertyDifference[]
}

/** Sets `set` and removes `unset`; other keys stay. Only real changes are differences. */
export function updateProperties(current: Properties, set: Properties, unset: string[]): PropertyUpdate {
  const differences: PropertyDifference[] = []
  for (const [key, after] of Object.entries(set)) {
    const before = Object.hasOwn(current, key) ? current[key] : undefined
    if (!isDeepStrictEqual(before, after)) differences.push({ key, before, after })
  }
  for (const key of new Set(unset)) {
    if (Object.hasOwn(current, key)) differences.push({ key, before: current[key], after: undefined })
  }
  const gone = new Set(unset)
  const properties = Object.fromEntries(Object.entries({ ...current, ...set }).filter(([key]) => !gone.has(key)))
  return { properties, differences }
}

export const fitsSize = (properties: Properties): boolean =>
  Buffer.byteLength(JSON.stringify(properties)) <= MAX_PROPERTIES_BYTES

export function checkSize(properties: Properties): void {
  if (!fitsSize(properties)) {
    throw invalid(`The properties of one person may take ${MAX_PROPERTIES_BYTES} bytes at most.`, 'properties')
  }
}
