/** Fields that insights and dashboards are given by the server or tidied by it: the short id and the tags. */
import { randomBase62 } from '../../lib/ids.ts'

const BITS = 47

/** The short id of an insight: eight characters of base62 that are not all digits, so that no integer id reads the same. */
export function newShortId(): string {
  for (;;) {
    const id = randomBase62(BITS)
    if (/\D/.test(id)) return id
  }
}

/** Tags as they are kept: in lower case, each one once, in the order given, without empty ones. */
export const cleanTags = (tags: string[]): string[] =>
  [...new Set(tags.map((tag) => tag.toLowerCase()))].filter((tag) => tag !== '')
