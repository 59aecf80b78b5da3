/**
 * Distinct ids as integers: 63 bits of the SHA-256 of project and id, as a negative number, so that it is never that of
 * a person. Nobody can aim an id at another's number, every process computes the same, and a deleted id that returns has
 * the same again. Stored with every event, so it must never change.
 */
import { hash } from 'node:crypto'

/** Visitors come with many events each. */
const MOST_KNOWN = 10_000
const known = new Map<string, bigint>()

export function idHash(projectId: number, distinctId: string): bigint {
  const name = `${projectId}/${distinctId}`
  const found = known.get(name)
  if (found !== undefined) return found
  const number = ~(BigInt(`0x${hash('sha256', name).slice(0, 16)}`) >> 1n)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, number)
  return number
}
