/**
 * Asking for the deletion of a person's events. A person has one pending request at most: a second one raises its
 * cut-off and adds to its recordings; its date stays. Ids that the person does not have any more keep the cut-off
 * they had, as what came later belongs to another person.
 */
import type { Deletion, DeletionRequest, DeletionScope } from '../../model/persons/deletion.ts'
import type { SqlWriters } from '../../model/stores.ts'

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : a + b)

/** Of the ids that were asked for before, those that are not asked for again. */
function earlierOf(waiting: Deletion, { distinctIds }: DeletionRequest): Deletion['earlier'] {
  const again = new Set(distinctIds)
  return [...waiting.earlier, { distinctIds: waiting.distinctIds, cutoffSeq: waiting.cutoffSeq }]
    .map((ids) => ({ ...ids, distinctIds: ids.distinctIds.filter((id) => !again.has(id)) }))
    .filter((ids) => ids.distinctIds.length > 0)
}

/** What a pending request asks for after another one for the same person. */
export const mergeRequests = (waiting: Deletion, request: DeletionRequest): DeletionScope => ({
  cutoffSeq: request.cutoffSeq,
  distinctIds: request.distinctIds,
  earlier: earlierOf(waiting, request),
  recordingsDeleted: sum(waiting.recordingsDeleted, request.recordingsDeleted),
})

/** Gives the pending request, which is new or has taken this one in. */
export async function requestDeletion(
  { deletions }: Pick<SqlWriters, 'deletions'>,
  request: DeletionRequest,
): Promise<Deletion> {
  const waiting = await deletions.findPending(request.projectId, request.personId)
  return waiting ? deletions.replace(waiting.id, mergeRequests(waiting, request)) : deletions.insert(request)
}
