/** Which blocks a request selects: one key, or a range with both ends. Keys count blocks by time, from 0. */
import { invalid } from '../../lib/errors.ts'

export interface SnapshotsQuery {
  source?: string
  blob_key?: string
  start_blob_key?: string
  end_blob_key?: string
}

export interface KeyRange {
  first: number
  last: number
}

const MAX_KEYS = 100
export const SOURCE = 'blob_v2' as const

function readKey(text: string, attr: string): number {
  if (!/^\d{1,9}$/.test(text)) throw invalid('Blob keys must be integers', attr)
  return Number(text)
}

/** Null when the list of blocks is requested. */
export function readKeys(query: SnapshotsQuery): KeyRange | null {
  const { source, blob_key } = query
  if (source === undefined) return null
  if (source !== SOURCE) throw invalid(`"${source}" is not a valid choice.`, 'source', 'invalid_choice')
  const [start, end] = blob_key === undefined ? [query.start_blob_key, query.end_blob_key] : [blob_key, blob_key]
  if (start === undefined || end === undefined) throw invalid('Must provide both start blob key and end blob key')
  const attr = blob_key === undefined ? null : 'blob_key'
  const first = readKey(start, attr ?? 'start_blob_key')
  const last = readKey(end, attr ?? 'end_blob_key')
  if (last < first) throw invalid('The end blob key must not be below the start blob key', 'end_blob_key')
  if (last - first >= MAX_KEYS) throw invalid(`Cannot request more than ${MAX_KEYS} blob keys at once`)
  return { first, last }
}
