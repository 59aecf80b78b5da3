/**
 * Finds its way through the bytes of a JSON text without reading it: where strings, values, members and elements
 * begin and end. The text must be valid; what is found in another means nothing, but every function comes to an end.
 */
export const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SPACE = 0x20

/** What a byte outside of strings adds to the depth. */
const NESTING = new Int8Array(256)
for (const bracket of '[{') NESTING[bracket.charCodeAt(0)] = 1
for (const bracket of ']}') NESTING[bracket.charCodeAt(0)] = -1

/** What comes after a number or a word: white space, a comma, a closing bracket. */
const ENDS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte === COMMA || NESTING[byte] === -1 ? 1 : 0,
)

/** Index of the quote that ends the string that opens at `start`. */
export function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
  return i
}

/** Where lists and objects end, by where they begin. */
export type Ends = Map<number, number>

export interface Bounds {
  depth: number
  /** Lists and objects. */
  nodes: number
}

/** Those nested deeper are not noted. */
const NOTED_DEPTH = 5

/** The lists and objects that are open at one point of the text. */
class Nesting {
  readonly #bounds: Bounds
  readonly #ends: Ends | null
  readonly #starts: number[] = []
  #depth = 0
  #nodes = 0

  constructor(bounds: Bounds, ends: Ends | null) {
    this.#bounds = bounds
    this.#ends = ends
  }

  open(at: number): keyof Bounds | null {
    if (++this.#depth > this.#bounds.depth) return 'depth'
    if (++this.#nodes > this.#bounds.nodes) return 'nodes'
    if (this.#depth <= NOTED_DEPTH) this.#starts[this.#depth] = at
    return null
  }

  close(at: number): void {
    if (this.#ends && this.#depth <= NOTED_DEPTH) this.#ends.set(this.#starts[this.#depth] ?? 0, at + 1)
    this.#depth--
  }
}

/** What there is too much of. Notes on its way where lists and objects end, when it is given where to. */
export function findExcess(bytes: Buffer, bounds: Bounds, ends: Ends | null = null): keyof Bounds | null {
  const nesting = new Nesting(bounds, ends)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === QUOTE) i = endOfString(bytes, i)
    else if (NESTING[byte] === 1) {
      const excess = nesting.open(i)
      if (excess) return excess
    } else if (NESTING[byte] === -1) nesting.close(i)
  }
  return null
}

/** All that JSON takes for white space is at or below a space; nothing else outside of strings is. */
export function skipSpace(bytes: Buffer, start: number): number {
  let i = start
  while (i < bytes.length && (bytes[i] as number) <= SPACE) i++
  return i
}

/** Index just past the array or object that opens at `start`. */
function endOfNested(bytes: Buffer, start: number): number {
  let depth = 0
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === QUOTE) i = endOfString(bytes, i)
    else depth += NESTING[byte] as number
    if (depth === 0) return i + 1
  }
  return bytes.length
}

/** Index just past the value that begins at `start`; `ends` may know it already. */
export function endOfValue(bytes: Buffer, start: number, ends: Ends | null = null): number {
  const first = bytes[start]
  if (first === QUOTE) return Math.min(bytes.length, endOfString(bytes, start) + 1)
  if (first !== undefined && NESTING[first] === 1) return ends?.get(start) ?? endOfNested(bytes, start)
  let i = start
  while (i < bytes.length && !ENDS_WORD[bytes[i] as number]) i++
  return i
}

/** Calls `visit` with the start of each element of the array at `open`; it gives the end. Index past the array. */
export function eachElement(bytes: Buffer, open: number, visit: (start: number) => number): number {
  let i = skipSpace(bytes, open + 1)
  while (i < bytes.length && NESTING[bytes[i] as number] !== -1) {
    i = skipSpace(bytes, visit(i))
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1)
  }
  return i + 1
}

/** As eachElement for the members of the object at `open`; `name` is as it is written, without its quotes. */
export function eachMember(bytes: Buffer, open: number, visit: (name: string, start: number) => number): number {
  let i = skipSpace(bytes, open + 1)
  while (bytes[i] === QUOTE) {
    const end = endOfString(bytes, i)
    const colon = skipSpace(bytes, end + 1)
    i = skipSpace(bytes, visit(bytes.toString('latin1', i + 1, end), skipSpace(bytes, colon + 1)))
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1)
  }
  return i + 1
}
