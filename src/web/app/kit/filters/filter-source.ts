/** What a bar of filters is told of the properties that there are, and what it asks for. */
import type { Suggestion } from '../form/suggest-field.tsx'

/** A kind of thing whose properties can be asked for. */
export interface FilterSource {
  /** As conditions have it. */
  type: string
  name: string
  keys: readonly Suggestion[]
}

export interface AskedValues {
  type: string
  key: string
  text: string
}
