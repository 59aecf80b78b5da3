/** What a key may be allowed: nothing, reading, or writing of each kind of thing; and choices that are often wanted. */
import type { PresetId } from './keys.search.ts'

export type Access = 'none' | 'read' | 'write'

/** Those that the API has operations for, with their names. */
export const SCOPE_OBJECTS = [
  ['person', 'People'],
  ['session_recording', 'Recordings'],
  ['query', 'Questions'],
  ['insight', 'Insights'],
  ['dashboard', 'Dashboards'],
  ['subscription', 'Reports'],
  ['sharing_configuration', 'Shared links'],
  ['event_definition', 'Names of events'],
  ['property_definition', 'Names of properties'],
  ['activity_log', 'Activity'],
  ['project', 'Projects'],
  ['organization', 'Organizations'],
  ['user', 'The user'],
] as const

type ScopeObject = (typeof SCOPE_OBJECTS)[number][0]
export type Choice = Record<ScopeObject, Access>

export const PRESETS: Record<PresetId, { name: string; about: string }> = {
  read: { name: 'Read only', about: 'Sees everything, changes nothing' },
  reports: { name: 'Reports bot', about: 'Reads insights and dashboards, manages reports' },
  erasure: { name: 'Erasure bot', about: 'Finds and deletes people and recordings' },
  all: { name: 'Everything', about: 'May do whatever you may do' },
  own: { name: 'Custom', about: 'Choose each scope' },
}

const every = (access: Access): Choice =>
  Object.fromEntries(SCOPE_OBJECTS.map(([object]) => [object, access])) as Choice

export const NOTHING = every('none')

const CHOICES: Record<PresetId, Choice> = {
  read: every('read'),
  reports: { ...NOTHING, insight: 'read', dashboard: 'read', query: 'read', subscription: 'write' },
  erasure: { ...NOTHING, person: 'write', session_recording: 'write', activity_log: 'read' },
  all: every('write'),
  own: NOTHING,
}

export const choiceOf = (preset: PresetId): Choice => CHOICES[preset]

/** As the API writes them. */
export function scopesOf(preset: PresetId, choice: Choice): string[] {
  if (preset === 'all') return ['*']
  return SCOPE_OBJECTS.filter(([object]) => choice[object] !== 'none').map(([object]) => `${object}:${choice[object]}`)
}

/** A few words for a list. */
export function scopesInWords(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'Everything'
  if (scopes.length > 3) return `${scopes.length} scopes`
  return scopes.join(', ')
}
