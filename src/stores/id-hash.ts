/**
 * Distinct ids as integers: 63 bits of the SHA-256 of project and id, as a negative number, so that it is never that of
 * a person. Nobody can aim an id at another's number, every process computes the same, and a deleted id that returns has
 * the same again. Stored with every event, so it must never change.
 */
import { hash } from 'node:crypto'

/** Visitors come with many events each. */
const MOST_KNOWN = 10_000
const known = new Map<number, Map<string, bigint>>()
let count = 0

function knownOf(projectId: number): Map<string, bigint> {
  if (++count > MOST_KNOWN) {
    known.clear()
    count = 1
  }
  const ofProject = known.get(projectId) ?? new Map<string, bigint>()
  known.set(projectId, ofProject)
  return ofProject
}

export function idHash(projectId: number, distinctId: string): bigint {
  const found = known.get(projectId)?.get(distinctId)
  if (found !== undefined) return found
  const number = ~(BigInt(`0x${hash('sha256', `${projectId}/${distinctId}`).slice(0, 16)}`) >> 1n)
  knownOf(projectId).set(distinctId, number)
  return number
}
