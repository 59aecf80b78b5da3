import { expect, it } from 'vitest'
import type { Deletion, DeletionRequest } from '../../model/persons/deletion.ts'
import { mergeRequests } from './deletion-request.ts'

const REQUEST: DeletionRequest = {
  projectId: 1,
  personId: 1,
  personUuid: '00000000-0000-0000-0000-000000000001',
  distinctIds: ['ann'],
  cutoffSeq: 10,
  createdBy: 1,
  createdAt: 0,
  scheduledFor: 1_000,
  recordingsDeleted: null,
}
const WAITING: Deletion = {
  ...REQUEST,
  id: 1,
  earlier: [],
  status: 'pending',
  verifiedAt: null,
  eventsDeleted: null,
  sessionsDeleted: null,
}

it('raises the cut-off of a request by the next one, and keeps that of ids which are not named again', () => {
  const first = { ...WAITING, recordingsDeleted: 1 }
  const raised = mergeRequests(first, { ...REQUEST, cutoffSeq: 20, distinctIds: ['bob'], recordingsDeleted: 2 })
  const earlier = [{ distinctIds: ['ann'], cutoffSeq: 10 }]
  expect(raised).toEqual({ cutoffSeq: 20, distinctIds: ['bob'], earlier, recordingsDeleted: 3 })
  const both = mergeRequests({ ...first, ...raised }, { ...REQUEST, cutoffSeq: 30, distinctIds: ['ann', 'bob'] })
  expect(both).toEqual({ cutoffSeq: 30, distinctIds: ['ann', 'bob'], earlier: [], recordingsDeleted: 3 })
})

it('keeps the cut-off of each earlier list', () => {
  const earlier = [
    { distinctIds: ['a', 'b'], cutoffSeq: 3 },
    { distinctIds: ['c'], cutoffSeq: 5 },
  ]
  const { earlier: after } = mergeRequests(
    { ...WAITING, earlier },
    { ...REQUEST, cutoffSeq: 20, distinctIds: ['b', 'c'] },
  )
  expect(after).toEqual([
    { distinctIds: ['a'], cutoffSeq: 3 },
    { distinctIds: ['ann'], cutoffSeq: 10 },
  ])
})

it.each([
  [null, null, null],
  [null, 2, 2],
  [1, null, 1],
  [1, 0, 1],
])('counts the recordings of both: %s and %s make %s', (before, more, together) => {
  const waiting = { ...WAITING, recordingsDeleted: before }
  expect(mergeRequests(waiting, { ...REQUEST, recordingsDeleted: more }).recordingsDeleted).toBe(together)
})
