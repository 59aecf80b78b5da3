/** The short id of an insight: eight characters of base62, not all digits, so that it cannot equal an integer id. */
import { randomBase62 } from '../../lib/ids.ts'

const BITS = 47

export function newShortId(): string {
  for (;;) {
    const id = randomBase62(BITS)
    if (/\D/.test(id)) return id
  }
}
