/** Filters of people, for every engine that makes SQL of them. */
import { type AppError, unavailable } from '../lib/errors.ts'
import type { PropertyCondition, PropertyFilter } from '../model/persons/person.ts'
import { SEARCHED_KEYS } from './search-text.ts'

/** A search as a filter, for people without a search text. */
export const propertiesContain = (value: string): PropertyFilter => ({
  join: 'OR',
  of: SEARCHED_KEYS.map((key): PropertyCondition => ({ key, operator: 'icontains', value })),
})

const UUID_PART = /^[0-9a-f-]{1,36}$/

/** Whether a UUID may contain this folded text. */
export const mayBeInUuid = (folded: string): boolean => UUID_PART.test(folded)

/** How soon the next portion of people may have been completed. */
const RETRY_SECONDS = 30

/** Nobody knows when people were changed that an earlier version stored. */
export const changesUnknown = (): AppError =>
  unavailable('After an upgrade it is not known yet when all persons were changed. Try again later.', RETRY_SECONDS)
