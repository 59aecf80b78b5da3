/** The short id of an insight: eight characters of base62 that are not all digits, so that no integer id reads the same. */
import { randomBase62 } from '../../lib/ids.ts'

const BITS = 47

export function newShortId(): string {
  for (;;) {
    const id = randomBase62(BITS)
    if (/\D/.test(id)) return id
  }
}
