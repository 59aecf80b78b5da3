/** How a person is called on screen and in which order its distinct ids are shown. */
import type { Person } from '../../model/persons/person.ts'

/** The properties that can name a person, in order, when the project has not chosen its own. */
const DEFAULT_NAME_PROPERTIES = [
  'email',
  'Email',
  '$email',
  'name',
  'Name',
  'username',
  'Username',
  'UserName',
] as const

/** Looks like an id that a browser made up; the known pattern, not strictly a UUID. */
const ANONYMOUS = /^([a-z0-9]+-){4}([a-z0-9]+)$/

export const isAnonymous = (distinctId: string): boolean => ANONYMOUS.test(distinctId)

/** Given ids first, made-up ones last, otherwise in the order in which they were stored. */
export function sortDistinctIds(distinctIds: string[]): string[] {
  if (distinctIds.length < 2) return distinctIds
  return [...distinctIds.filter((id) => !isAnonymous(id)), ...distinctIds.filter(isAnonymous)]
}

/** A truthy text, number or boolean as text; anything else names nobody. */
function nameFrom(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number') return value === 0 ? null : String(value)
  return value === true ? 'true' : null
}

export function personName(person: Person, nameProperties: string[] | null): string {
  const keys = nameProperties?.length ? nameProperties : DEFAULT_NAME_PROPERTIES
  for (const key of keys) {
    const name = Object.hasOwn(person.properties, key) ? nameFrom(person.properties[key]) : null
    if (name !== null) return name
  }
  return sortDistinctIds(person.distinctIds)[0] ?? String(person.id)
}
