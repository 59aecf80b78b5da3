/**
 * The processing of one incoming event: a list of named steps, each of which may drop it with a reason. Each step is
 * timed and each drop counted under its name. Nothing here touches a store.
 */

import { eachInSlices } from '../../lib/concurrency/time-slices.ts'
import { readUuid, uuidV7 } from '../../lib/ids.ts'
import { isJsonObject, type Json, type JsonObject, storable, storableText } from '../../lib/json/json.ts'
import { cutText, isLongerThan } from '../../lib/text/code-points.ts'
import { type AddressRule, withAddress } from './client-address.ts'
import { isPlaceholderId } from './illegal-ids.ts'
import { type PersonUpdate, personUpdate } from './person-properties.ts'
import { MAX_EVENT_BYTES, OVERSIZED } from './request.ts'
import { eventTime } from './timestamp.ts'

export interface Arrival {
  now: number
  sentAt: number | null
  /** `/engage`: an event without a name is `$identify`. */
  defaultName: string | null
  /** See CaptureRequest. */
  isPlain: boolean
  /** Protocol v1: names and ids that are too long, and placeholder ids, are refused instead of repaired. */
  isStrict: boolean
  /** See client-address.ts. */
  address: AddressRule
}

export type DropReason =
  | 'invalid_event'
  | 'missing_event_name'
  | 'invalid_uuid'
  | 'event_too_large'
  | 'missing_distinct_id'
  | 'personless_merge'
  | 'event_name_too_long'
  | 'distinct_id_too_long'
  | 'illegal_distinct_id'

export interface Warning {
  type: string
  details: Record<string, unknown>
}

/** Full: the person is updated. Personless: the event requested no profile. */
type PersonMode = 'full' | 'personless'

/** An event that has passed every step. */
export interface ReadyEvent {
  index: number
  uuid: string
  event: string
  distinctId: string
  timestamp: number
  sessionId: string | null
  properties: JsonObject
  mode: PersonMode
  update: PersonUpdate
  /** The other id of a merge: alias or anonymous id. */
  mergeWith: string | null
  warnings: Warning[]
}

interface Draft extends ReadyEvent {
  raw: JsonObject
}

type Step = (draft: Draft, arrival: Arrival) => DropReason | null

const MAX_NAME = 200
const MERGES = new Set(['$identify', '$create_alias', '$merge_dangerously'])
const NEEDS_PERSON = new Set([...MERGES, '$groupidentify'])
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const bound: Step = (draft, { defaultName, isPlain, isStrict, address }) => {
  const { raw } = draft
  const name = typeof raw.event === 'string' && raw.event.trim() !== '' ? raw.event : defaultName
  if (name === null) return 'missing_event_name'
  if (isStrict && isLongerThan(name, MAX_NAME)) return 'event_name_too_long'
  draft.event = cutText(storableText(name), MAX_NAME)
  const given = withAddress(isJsonObject(raw.properties) ? raw.properties : {}, address)
  draft.properties = given
  if (isPlain) return null
  const text = JSON.stringify(given)
  if (text.length > MAX_EVENT_BYTES) return 'event_too_large'
  // Only text with such an escape can contain characters that no store accepts.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) draft.properties = storable(given) as JsonObject
  return null
}

const identify: Step = (draft, { now }) => {
  const { uuid } = draft.raw
  if (uuid === undefined || uuid === null || uuid === '') draft.uuid = uuidV7(now)
  else {
    const read = typeof uuid === 'string' ? readUuid(uuid) : null
    if (read === null) return 'invalid_uuid'
    draft.uuid = read
  }
  return null
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

function idText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  const text = storableText(typeof value === 'string' ? value : JSON.stringify(value))
  return text.trim() === '' ? null : text
}

function asDistinctId(value: Json | undefined): string | null {
  const text = idText(value)
  return text === null ? null : cutText(text, MAX_NAME)
}

function strictProblem(id: string): DropReason | null {
  if (isLongerThan(id, MAX_NAME)) return 'distinct_id_too_long'
  return isPlaceholderId(id) ? 'illegal_distinct_id' : null
}

const distinctId: Step = (draft, { isStrict }) => {
  const { raw, properties } = draft
  const id = idText(raw.distinct_id) ?? idText(raw.$distinct_id) ?? idText(properties.distinct_id)
  if (id === null) return 'missing_distinct_id'
  draft.distinctId = isStrict ? id.trim() : cutText(id, MAX_NAME)
  return isStrict ? strictProblem(draft.distinctId) : null
}

/** Every warning names the person of its event, so that it is found when the person is deleted. */
const subjectOf = ({ distinctId: id, uuid }: Draft) => ({ distinctId: id, eventUuid: uuid })

const timestamp: Step = (draft, { now, sentAt }) => {
  const { raw, properties } = draft
  const ignoreSentAt = properties.$ignore_sent_at === true
  const { at, warning } = eventTime({ timestamp: raw.timestamp, offset: raw.offset, sentAt, ignoreSentAt, now })
  draft.timestamp = at
  if (warning) {
    draft.warnings.push({ type: warning, details: { timestamp: raw.timestamp, ...subjectOf(draft) } })
  }
  return null
}

/** Only a boolean false requests no profile. */
function wantsNoProfile(draft: Draft): boolean {
  const profileFlag = draft.properties.$process_person_profile
  if (profileFlag !== undefined && typeof profileFlag !== 'boolean') {
    draft.warnings.push({
      type: 'invalid_process_person_profile',
      details: { value: profileFlag, ...subjectOf(draft) },
    })
  }
  return profileFlag === false
}

function otherId({ event, properties }: Draft): string | null {
  if (event === '$identify') return asDistinctId(properties.$anon_distinct_id)
  return MERGES.has(event) ? asDistinctId(properties.alias) : null
}

const person: Step = (draft) => {
  const { raw, event } = draft
  if (wantsNoProfile(draft)) {
    if (NEEDS_PERSON.has(event)) return 'personless_merge'
    draft.mode = 'personless'
  }
  draft.mergeWith = otherId(draft)
  if (event === '$groupidentify') return null
  const top = { $set: storable(raw.$set ?? null), $set_once: storable(raw.$set_once ?? null) }
  draft.update = personUpdate(draft.properties, top)
  const merged = (name: '$set' | '$set_once') => ({
    [name]: { ...objectOf(draft.properties[name]), ...objectOf(top[name]) },
  })
  if (isJsonObject(top.$set)) draft.properties = { ...draft.properties, ...merged('$set') }
  if (isJsonObject(top.$set_once)) draft.properties = { ...draft.properties, ...merged('$set_once') }
  return null
}

const session: Step = (draft) => {
  const id = draft.properties.$session_id
  draft.sessionId = typeof id === 'string' && SESSION_ID.test(id) ? id.toLowerCase() : null
  return null
}

/** In order. The last step, `store`, is the transaction in people.ts and capture.ts. */
const STEPS: [name: string, step: Step][] = [
  ['bound', bound],
  ['identify', identify],
  ['distinct_id', distinctId],
  ['timestamp', timestamp],
  ['person', person],
  ['session', session],
]

export interface Drop {
  index: number
  reason: DropReason
  step: string
}

export interface Outcome {
  ready: ReadyEvent[]
  drops: Drop[]
}

const NO_UPDATE: PersonUpdate = { set: {}, setOnce: {}, unset: [] }

function newDraft(raw: JsonObject, index: number): Draft {
  return {
    raw,
    index,
    uuid: '',
    event: '',
    distinctId: '',
    timestamp: 0,
    sessionId: null,
    properties: {},
    mode: 'full',
    update: NO_UPDATE,
    mergeWith: null,
    warnings: [],
  }
}

type Timed = (step: string, ms: number) => void

/** Runs the items of one request through every step; `timed` gets the duration of each step for all of them. */
export function readEvents(items: unknown[], arrival: Arrival, timed: Timed, firstIndex = 0): Outcome {
  const drops: Drop[] = []
  const drafts: Draft[] = []
  items.forEach((item, place) => {
    const index = firstIndex + place
    if (item === OVERSIZED) drops.push({ index, reason: 'event_too_large', step: 'bound' })
    else if (isJsonObject(item)) drafts.push(newDraft(item, index))
    else drops.push({ index, reason: 'invalid_event', step: 'bound' })
  })
  let before = performance.now()
  for (const [name, step] of STEPS) {
    let kept = 0
    for (const draft of drafts) {
      const reason = step(draft, arrival)
      if (reason === null) drafts[kept++] = draft
      else drops.push({ index: draft.index, reason, step: name })
    }
    drafts.length = kept
    const after = performance.now()
    timed(name, after - before)
    before = after
  }
  return { ready: drafts, drops: drops.sort((a, b) => a.index - b.index) }
}

/** The same for many items, or large ones: one after the other, in slices. */
export async function readManyEvents(items: unknown[], arrival: Arrival, timed: Timed): Promise<Outcome> {
  const [ready, drops]: [ReadyEvent[], Drop[]] = [[], []]
  const spent = new Map<string, number>()
  const add: Timed = (step, ms) => void spent.set(step, (spent.get(step) ?? 0) + ms)
  await eachInSlices(items.entries(), ([index, item]) => {
    const outcome = readEvents([item], arrival, add, index)
    ready.push(...outcome.ready)
    drops.push(...outcome.drops)
  })
  for (const [step, ms] of spent) timed(step, ms)
  return { ready, drops }
}
