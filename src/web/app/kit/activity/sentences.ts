/**
 * Entries of the activity log as sentences: who, what they did, and to what. What the table does not know is said with the
 * log's own words, so that a new kind of entry can be read before it has a line here.
 */

export interface ToldEntry {
  user: { uuid?: string; first_name: string; email: string | null; is_system?: boolean }
  activity: string
  scope: string
  item_id: string | null
  detail: {
    name: string | null
    changes: readonly ToldChange[] | null
    /** Set where another entry was undone by it. */
    trigger: object | null
  }
  created_at: string
}

export interface Sentence {
  who: string
  did: string
  /** The thing, by its name or its id; empty where the words say it all. */
  what: string
}

/** Kinds of things, with what one of them is called. */
export const SCOPES = {
  Person: 'person',
  Replay: 'recording',
  Insight: 'insight',
  Dashboard: 'dashboard',
  Subscription: 'report',
  Project: 'project',
  PersonalAPIKey: 'API key',
  Deletion: 'deletion',
  Event: 'event',
} as const

const isKnown = (scope: string): scope is keyof typeof SCOPES => Object.hasOwn(SCOPES, scope)

export const scopeName = (scope: string): string => (isKnown(scope) ? SCOPES[scope] : scope)

/** For every kind of thing; `_` stands for what it is called. */
const USUAL: Partial<Record<string, string>> = {
  created: 'created the _',
  updated: 'changed the _',
  deleted: 'deleted the _',
}

const OWN: Partial<Record<string, string>> = {
  'Person updated': 'changed properties of the person',
  'Person delete_property': 'deleted a property of the person',
  'Person split_person': 'split the person',
  'Person people_merged_into': 'merged another person into',
  'Replay bulk_deleted': 'deleted',
  'Replay expired': 'removed what is kept no longer:',
  'Replay sharing enabled': 'shared the recording',
  'Replay sharing disabled': 'stopped sharing the recording',
  'Replay access token refreshed': 'replaced the link to the recording',
  'Replay sharing password created': 'added a password for the recording',
  'Replay sharing password deleted': 'removed a password of the recording',
  'Project token_reset': 'replaced the token of the project',
  'Project loss_accepted': 'was started although data is missing:',
  'Project restored': 'restored',
  'PersonalAPIKey rolled': 'rolled the API key',
  'Deletion completed': 'carried out',
  'Deletion run': 'was asked at the command line to carry out',
  'Event expired': 'removed what is kept no longer:',
}

/** An undo tells what it undid: a split brings back what was merged, a merge what was split. */
const UNDONE: Partial<Record<string, string>> = {
  updated: 'undid a change of the person',
  delete_property: 'undid a change of the person',
  split_person: 'undid a merge into the person',
  people_merged_into: 'undid a split of the person',
}

function verbOf({ scope, activity, detail }: ToldEntry): string {
  const own = detail.trigger === null ? OWN[`${scope} ${activity}`] : UNDONE[activity]
  if (own !== undefined) return own
  const usual = USUAL[activity]
  return usual?.replace('_', scopeName(scope)) ?? `${activity.replaceAll('_', ' ')}: ${scopeName(scope)}`
}

/** Users who are gone have no name any more. */
export function whoOf({ first_name, email, is_system }: ToldEntry['user']): string {
  if (is_system) return 'The server'
  return first_name || email || 'Somebody who is no longer here'
}

export const sentenceOf = (entry: ToldEntry): Sentence => ({
  who: whoOf(entry.user),
  did: verbOf(entry),
  what: entry.detail.name || entry.item_id || '',
})

export interface ToldChange {
  action: string
  field: string | null
  key?: string
  before: unknown
  after: unknown
}

/** `targetValue` and `target_value` are both `target value`. */
const inWords = (field: string): string =>
  field
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** What was changed, as a heading of its values. */
export function changeName({ action, field, key }: ToldChange): string {
  if (key !== undefined) return key
  if (field === 'properties') return 'a property'
  return (field && inWords(field)) ?? { split: 'distinct ids', merged: 'merged' }[action] ?? action
}

const SHORT = 40

/** `free`, `nothing`; null for what takes more than a few words. */
function inShort(value: unknown): string | null {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'object') return null
  const text = String(value)
  return text.length > SHORT || text === '' ? null : text
}

/** Short of those: `plan: free → paid` of a single one, else `plan, email and 3 more`; empty without any. */
export function changesInWords(changes: readonly ToldChange[] | null): string {
  const [first, ...others] = changes ?? []
  if (first && others.length === 0) {
    const [before, after] = [inShort(first.before), inShort(first.after)]
    return before === null || after === null ? changeName(first) : `${changeName(first)}: ${before} → ${after}`
  }
  const names = (changes ?? []).map(changeName)
  if (names.length <= 3) return names.join(', ')
  return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}

/** Of a person who was erased, the log keeps that something was changed and not what. */
export const isErased = ({ field, before, after, key }: ToldChange): boolean =>
  field === 'properties' && key === undefined && before === null && after === null

const LONGEST = 20_000

/** A value as the API has it; long ones are cut. */
export function valueInWords(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} characters more)` : text
}
