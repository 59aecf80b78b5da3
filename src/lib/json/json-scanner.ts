/**
 * Scans the bytes of a JSON text without parsing it: where strings, values, members and elements begin and end. The
 * text must be valid; for invalid text the results are meaningless, but every function terminates.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SPACE = 0x20
const BRACKET = 0x5b

/** What a byte outside of strings adds to the depth. */
const NESTING = new Int8Array(256)
for (const bracket of '[{') NESTING[bracket.charCodeAt(0)] = 1
for (const bracket of ']}') NESTING[bracket.charCodeAt(0)] = -1

/** What ends a number or a literal: white space, a comma, a closing bracket. */
const ENDS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte === COMMA || NESTING[byte] === -1 ? 1 : 0,
)

/** Index of the quote that ends the string that opens at `start`. */
function endOfString(bytes: Buffer, start: number): number {
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

/** Which bound a text exceeds; `noted`: too many lists and objects whose ends should be recorded. */
export type Excess = keyof Bounds | 'noted'

/** A list or an object that is an element of a list. */
export interface Element {
  start: number
  end: number
  /** Lists and objects in it, itself included. */
  nodes: number
}

export interface Notes {
  /** Where lists and objects end, down to a depth. */
  ends?: Ends | null
  /** The elements of lists at `depth`; 0: of the outermost list, or of the lists that are members of the outermost object. */
  elements?: { depth: number; found: Element[] } | null
}

/** Ends are recorded down to this depth, and up to this many. */
const NOTED_DEPTH = 5
const MAX_NOTED = 200_000

const [OTHER, OPENS, CLOSES, SEPARATES, QUOTES] = [0, 1, 2, 3, 4]
const KINDS = new Uint8Array(256)
for (const [text, kind] of [
  ['[{', OPENS],
  [']}', CLOSES],
  [',', SEPARATES],
  ['"', QUOTES],
] as [string, number][]) {
  for (const sign of text) KINDS[sign.charCodeAt(0)] = kind
}

/** Collects the elements of lists at one depth during a scan. */
class Elements {
  readonly #found: Element[]
  #depth: number
  #inList = false
  #start = 0
  #before = 0

  constructor(depth: number, found: Element[]) {
    this.#depth = depth
    this.#found = found
  }

  open(at: number, isList: boolean, depth: number, nodes: number): void {
    if (this.#depth === 0) this.#depth = isList ? 1 : 2
    if (depth === this.#depth) this.#inList = isList
    else if (depth === this.#depth + 1) {
      this.#start = at
      this.#before = nodes
    }
  }

  close(at: number, depth: number, nodes: number): void {
    if (!this.#inList || depth !== this.#depth + 1) return
    this.#found.push({ start: this.#start, end: at + 1, nodes: nodes - this.#before + 1 })
  }
}

/**
 * Scans a text once, in as many steps as the caller likes, also while the text is still growing: counts lists, objects
 * and commas and records the positions that the caller wants.
 */
export class JsonScanner {
  readonly #bounds: Bounds
  readonly #ends: Ends | null
  readonly #elements: Elements | null
  readonly #starts: number[] = []
  #at = 0
  #inString = false
  #depth = 0
  /** Lists and objects. */
  nodes = 0
  commas = 0

  constructor(bounds: Bounds, { ends = null, elements = null }: Notes = {}) {
    this.#bounds = bounds
    this.#ends = ends
    this.#elements = elements && new Elements(elements.depth, elements.found)
  }

  /** Index of the next byte to scan. */
  get at(): number {
    return this.#at
  }

  /** Scans on up to `end`; returns the bound that is exceeded. Do not scan further after that. */
  scan(bytes: Buffer, end = bytes.length): Excess | null {
    let i = this.#inString ? this.#leaveString(bytes, this.#at, end) : this.#at
    while (i < end) {
      const kind = KINDS[bytes[i] as number]
      if (kind === OTHER) i++
      else if (kind === QUOTES) i = this.#leaveString(bytes, i + 1, end)
      else {
        const excess = this.#mark(kind, i, bytes[i] === BRACKET)
        if (excess) return excess
        i++
      }
    }
    this.#at = i
    return null
  }

  /** Index just past the quote that ends the string, or past `end`. Most bytes of a text are read in this loop. */
  #leaveString(bytes: Buffer, start: number, end: number): number {
    let i = start
    while (i < end) {
      const byte = bytes[i++]
      if (byte === QUOTE) {
        this.#inString = false
        return i
      }
      if (byte === BACKSLASH) i++
    }
    this.#inString = true
    return i
  }

  #mark(kind: number | undefined, at: number, isList: boolean): Excess | null {
    if (kind === OPENS) return this.#open(at, isList)
    if (kind === CLOSES) this.#close(at)
    else this.commas++
    return null
  }

  #open(at: number, isList: boolean): Excess | null {
    if (++this.#depth > this.#bounds.depth) return 'depth'
    if (++this.nodes > this.#bounds.nodes) return 'nodes'
    if (this.#depth <= NOTED_DEPTH) this.#starts[this.#depth] = at
    this.#elements?.open(at, isList, this.#depth, this.nodes)
    return this.#ends !== null && this.#ends.size > MAX_NOTED ? 'noted' : null
  }

  #close(at: number): void {
    if (this.#ends && this.#depth <= NOTED_DEPTH) this.#ends.set(this.#starts[this.#depth] ?? 0, at + 1)
    this.#elements?.close(at, this.#depth, this.nodes)
    this.#depth--
  }
}

/** The bound that the text exceeds, or null. Also records where lists and objects end if `ends` is given. */
export const findExcess = (bytes: Buffer, bounds: Bounds, ends: Ends | null = null): Excess | null =>
  new JsonScanner(bounds, { ends }).scan(bytes)

/** JSON's white space characters have codes up to that of a space; no other byte outside of strings has. */
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

/** Calls `visit` with the start of each element of the array at `open`; it returns the element's end. Returns the index past the array. */
export function eachElement(bytes: Buffer, open: number, visit: (start: number) => number): number {
  let i = skipSpace(bytes, open + 1)
  while (i < bytes.length && NESTING[bytes[i] as number] !== -1) {
    i = skipSpace(bytes, visit(i))
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1)
  }
  return i + 1
}

/** As eachElement for the members of the object at `open`; `name` is the raw text between the quotes. */
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
