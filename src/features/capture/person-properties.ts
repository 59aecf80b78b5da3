/**
 * What an event says about its person: `$set`, `$set_once`, `$unset`, and the properties of the event itself that show
 * where the person is now and where it first came from; and what changes by that. A person may have tens of thousands
 * of properties: the cost depends on what changes, not on what exists.
 */
import { isDeepStrictEqual } from 'node:util'
import { CLICK_IDS, UTM_PARAMETERS } from '../../lib/campaign.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json.ts'
import type { Properties } from '../../model/persons/person.ts'

export interface PersonUpdate {
  set: Properties
  setOnce: Properties
  unset: string[]
}

const LIFTED = new Set<string>([
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
  '$browser',
  '$browser_version',
  '$device_type',
  '$current_url',
  '$pathname',
  '$os',
  '$os_name',
  '$os_version',
  '$referrer',
  '$referring_domain',
  '$screen_height',
  '$screen_width',
  '$viewport_height',
  '$viewport_width',
  '$raw_user_agent',
  ...UTM_PARAMETERS,
  ...CLICK_IDS,
  'rdt_cid',
  'epik',
  'qclid',
  'sccid',
])

/** Changes of these alone are not worth a write, unless the event is about the person. */
const NOISY = new Set([...LIFTED].filter((key) => key.startsWith('$') && !key.startsWith('$app_')))

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

function namesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((name): name is string => typeof name === 'string')
  if (typeof value === 'string') return [value]
  return isJsonObject(value) ? Object.keys(value) : []
}

const isServer = (properties: JsonObject): boolean => properties.$is_server === true

const INITIAL = new Map([...LIFTED].map((key) => [key, `$initial_${key.replace(/^\$/, '')}`]))

/**
 * The properties of an event that are copied to its person: under their own name, and under that of the first value.
 */
function lift(properties: JsonObject): { now: JsonObject; first: JsonObject } {
  const now: JsonObject = {}
  const first: JsonObject = {}
  for (const key of Object.keys(properties)) {
    const initial = INITIAL.get(key)
    if (initial === undefined || (key.startsWith('$os') && isServer(properties))) continue
    now[key] = properties[key] as Json
    first[initial] = properties[key] as Json
  }
  return { now, first }
}

/** Later ones win. Most events have no `$set` of their own, and nothing is copied. */
const joined = (lifted: JsonObject, inner: unknown, top: unknown): JsonObject =>
  inner === undefined && !isJsonObject(top) ? lifted : { ...lifted, ...objectOf(inner), ...objectOf(top) }

/** `top`: the event's own `$set` and `$set_once`, which win over those inside its properties. */
export function personUpdate(properties: JsonObject, top: { $set?: unknown; $set_once?: unknown }): PersonUpdate {
  const { now, first } = lift(properties)
  return {
    set: joined(now, properties.$set, top.$set),
    setOnce: joined(first, properties.$set_once, top.$set_once),
    unset: namesOf(properties.$unset),
  }
}

const isNoise = (key: string): boolean => NOISY.has(key) || key.startsWith('$geoip_')

/** Whether any of the changed keys is worth a write. */
export const worthWriting = (keys: string[]): boolean => keys.some((key) => !isNoise(key))

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b))

/**
 * `$set_once` fills what is missing, `$set` replaces, `$unset` removes only what existed before the event. The keys
 * that change with their new value; `undefined` where it is removed. Most events change nothing.
 */
export function changesOf(current: Properties, { set, setOnce, unset }: PersonUpdate): Map<string, unknown> {
  const changes = new Map<string, unknown>()
  for (const key of unset) if (Object.hasOwn(current, key)) changes.set(key, undefined)
  for (const key of Object.keys(setOnce)) {
    if (!Object.hasOwn(current, key) && !Object.hasOwn(set, key)) changes.set(key, setOnce[key])
  }
  for (const key of Object.keys(set)) {
    if (changes.has(key)) continue
    if (!Object.hasOwn(current, key) || !isSame(current[key], set[key])) changes.set(key, set[key])
  }
  return changes
}

const entryBytes = (key: string, value: unknown): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2

/** The size of this JSON in UTF-8, each entry with a comma after it and without the last brace. */
export const bytesOf = (json: string): number => (json === '{}' ? 1 : Buffer.byteLength(json))

/** By how much the size grows when these changes are made. */
export function growthOf(current: Properties, changes: ReadonlyMap<string, unknown>): number {
  let growth = 0
  for (const [key, value] of changes) {
    if (Object.hasOwn(current, key)) growth -= entryBytes(key, current[key])
    if (value !== undefined) growth += entryBytes(key, value)
  }
  return growth
}

/** In place; `undefined` removes the key. */
export function setProperty(properties: Properties, key: string, value: unknown): void {
  if (value === undefined) delete properties[key]
  // Assigning it would change the object's prototype.
  else if (key === '__proto__')
    Object.defineProperty(properties, key, { value, writable: true, enumerable: true, configurable: true })
  else properties[key] = value
}
