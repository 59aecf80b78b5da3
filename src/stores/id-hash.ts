/**
 * Distinct ids as integers: 63 bits of the SHA-256 of project and id, as a negative number, so that it is never that of
 * a person. Nobody can aim an id at another's number, every process computes the same, and a deleted id that returns has
 * the same again. Stored with every event, so it must never change.
 */
import { hash } from 'node:crypto'

export const idHash = (projectId: number, distinctId: string): bigint =>
  ~(BigInt(`0x${hash('sha256', `${projectId}/${distinctId}`).slice(0, 16)}`) >> 1n)
