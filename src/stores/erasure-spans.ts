/** Which request an event that is erased counts for, where several name its id. */
import type { ErasureRequest } from '../model/events/erasure.ts'

/** Events of this id with a seq after `after`, up to `upTo`, count for `request`. */
export interface Span {
  request: number
  projectId: number
  personId: number
  distinctId: string
  after: number
  upTo: number
}

/** The ids of each request; where several requests name one id, their ranges of `seq` follow each other without gaps. */
export function spansOf(requests: ErasureRequest[]): Span[] {
  const reached = new Map<string, number>()
  const inOrder = [...requests].sort((a, b) => a.cutoffSeq - b.cutoffSeq || a.id - b.id)
  return inOrder.flatMap(({ id: request, projectId, personId, distinctIds, cutoffSeq: upTo }) =>
    [...new Set(distinctIds)].map((distinctId) => {
      const key = `${projectId}/${distinctId}`
      const after = reached.get(key) ?? -1
      reached.set(key, upTo)
      return { request, projectId, personId, distinctId, after, upTo }
    }),
  )
}
