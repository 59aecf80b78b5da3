/** The keys that every blob store accepts; see model/blob.ts. */
import { cutText } from '../lib/text/code-points.ts'

const MAX_KEY_LENGTH = 1_000

/** Letters, digits, `.`, `_`, `-`; not `.` or `..`; as long as a file name may be. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/

/** No segment can contain it: what a store keeps for itself has it in its name. */
export const OWN = '~'

/** Throws when it is no key. */
export function segmentsOf(key: string): string[] {
  const segments = key.split('/')
  if (key.length > MAX_KEY_LENGTH || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Error(`Not a key of a blob: ${JSON.stringify(cutText(key, 100))}`)
  }
  return segments
}

/** Of a prefix, with or without a `/` at its end; '' has none. */
export const prefixSegments = (prefix: string): string[] => (prefix === '' ? [] : segmentsOf(prefix.replace(/\/$/, '')))
