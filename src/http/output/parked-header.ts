/**
 * A header that warns clients that events are missing: batches of the project that the event store refuses are parked
 * until an operator retries them (`hedgerow outbox retry`).
 */
import type { FastifyReply } from 'fastify'

export const PARKED_HEADER = 'Hedgerow-Parked-Batches'

export const PARKED_HEADER_HELP =
  'Only there when events may be missing from the answer: so many batches of events or changes to persons were accepted, ' +
  'but refused by the event store, and wait for the operator.'

/** How many batches of a project are parked. */
export type CountParked = (projectId: number) => Promise<number>

/** Runs `read`. Counts before and after it, because batches may be parked or retried meanwhile. */
export async function withParkedHeader<T>(
  countParked: CountParked,
  projectId: number,
  reply: FastifyReply,
  read: () => Promise<T>,
): Promise<T> {
  const before = await countParked(projectId)
  const result = await read()
  const parked = Math.max(before, await countParked(projectId))
  if (parked > 0) reply.header(PARKED_HEADER, String(parked))
  return result
}
