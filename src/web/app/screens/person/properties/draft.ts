/** A property while it is changed. It outlives its row, which may be scrolled out of sight or be deleted by somebody else. */
import { type Kind, kindOfValue, readAs, textForKind, textOfValue } from './property-kinds.ts'

export interface Property {
  key: string
  value: unknown
}

export interface Draft {
  key: string
  kind: Kind
  text: string
  isNew: boolean
  /** What it was when the form was opened; undefined when there was none. */
  before: unknown
  /** What it was found to be when it was to be saved: it is asked whose value stays. */
  found?: { now: unknown } | undefined
}

/** `property`: null for a new one. */
export const draftOf = (property: Property | null): Draft => ({
  key: property?.key ?? '',
  kind: property ? kindOfValue(property.value) : 'text',
  text: textOfValue(property?.value),
  isNew: property === null,
  before: property?.value,
})

export const ofKind = (draft: Draft, kind: Kind): Draft => ({ ...draft, kind, text: textForKind(draft.text, kind) })

/** Null when what was typed is none of its kind. */
export const draftValue = ({ kind, text }: Draft): { value: unknown } | null => readAs(kind, text)
