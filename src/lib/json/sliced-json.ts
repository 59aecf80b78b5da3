/**
 * Reads large JSON that nobody vouches for without keeping the thread: element by element of its outermost list, with
 * a rest after each slice. What is read is what JSON.parse gives for the whole text; a text that it would refuse is
 * refused. Elements may be left out for their size, and replaced, before they are read.
 */

import { Slices } from '../concurrency/time-slices.ts'
import { tooLarge } from '../errors.ts'
import type { Json } from './json.ts'
import { type Element, JsonScanner } from './json-scanner.ts'

/** How much of a text is scanned between two looks at the clock. */
const STEP = 256 * 1024
/** Elements larger than this are themselves read in slices, where the caller says by which lists. */
const LARGE = 512 * 1024
const ANY = { depth: Number.POSITIVE_INFINITY, nodes: Number.POSITIVE_INFINITY }

export interface SliceOptions {
  /** Bytes that are read in one go; a text that has to be read in larger ones is refused. */
  mostAtOnce: number
  /** Stands for an element that is not read, because of its size; undefined: it is read. */
  replace: ((element: Element) => Json | undefined) | null
  /** The depth, inside an element, of the lists by whose elements a large one is read; null: each is read at once. */
  innerDepth: number | null
}

/** Scans to the end of the text, with rests. Gives what the scanner gives. */
export async function scanInSlices(scanner: JsonScanner, bytes: Buffer): Promise<ReturnType<JsonScanner['scan']>> {
  const slices = new Slices()
  while (scanner.at < bytes.length) {
    const excess = scanner.scan(bytes, Math.min(bytes.length, scanner.at + STEP))
    if (excess) return excess
    if (slices.isOver) await slices.rest()
  }
  return null
}

/** The text with a number in the place of each element, which is an object by then: `{"":0}`, `{"":1}`… */
function skeletonOf(bytes: Buffer, elements: Element[]): string {
  const parts: string[] = []
  let at = 0
  elements.forEach(({ start, end }, index) => {
    parts.push(bytes.toString('utf8', at, start), `{"":${index}}`)
    at = end
  })
  parts.push(bytes.toString('utf8', at))
  const text = parts.join('')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Where in the skeleton the elements go: all objects and lists in lists at that depth. */
function* places(value: Json, depth: number): Generator<{ list: Json[]; index: number; element: number }> {
  if (value === null || typeof value !== 'object') return
  if (depth > 1) {
    for (const item of Object.values(value)) yield* places(item, depth - 1)
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item = value[index]
      if (item !== null && typeof item === 'object') yield { list: value, index, element: (item as { '': number })[''] }
    }
  }
}

/** How much of the text is no element. */
const lengthWithout = (bytes: Buffer, elements: Element[]): number =>
  elements.reduce((length, { start, end }) => length - (end - start), bytes.length)

class Parser {
  readonly #options: SliceOptions
  readonly #slices = new Slices()

  constructor(options: SliceOptions) {
    this.#options = options
  }

  /** `elements`: those of lists at `depth`, as a scanner has noted them. */
  async parse(bytes: Buffer, elements: Element[], depth: number): Promise<Json> {
    const { innerDepth, mostAtOnce } = this.#options
    const remains = lengthWithout(bytes, elements)
    // Not in the outermost lists: a single element by itself.
    if (depth === 0 && innerDepth !== null && remains > LARGE) return this.#parseLarge(bytes, innerDepth)
    if (remains > mostAtOnce) throw tooLarge(`maximum event size exceeded: more than ${mostAtOnce} bytes`)
    const whole = JSON.parse(skeletonOf(bytes, elements)) as Json
    const listDepth = depth > 0 ? depth : Array.isArray(whole) ? 1 : 2
    for (const { list, index, element } of places(whole, listDepth)) {
      const value = this.#parseElement(bytes, elements[element] as Element, depth)
      list[index] = value instanceof Promise ? await value : value
      if (this.#slices.isOver) await this.#slices.rest()
    }
    return whole
  }

  #parseElement(bytes: Buffer, element: Element, depth: number): Json | Promise<Json> {
    const { replace, innerDepth } = this.#options
    const text = bytes.subarray(element.start, element.end)
    if (depth > 0) return this.#parseAtOnce(text)
    const replaced = replace?.(element)
    if (replaced !== undefined) return replaced
    return innerDepth !== null && text.length > LARGE ? this.#parseLarge(text, innerDepth) : this.#parseAtOnce(text)
  }

  async #parseLarge(bytes: Buffer, depth: number): Promise<Json> {
    const elements: Element[] = []
    await scanInSlices(new JsonScanner(ANY, { elements: { depth, found: elements } }), bytes)
    return this.parse(bytes, elements, depth)
  }

  #parseAtOnce(bytes: Buffer): Json {
    const { mostAtOnce } = this.#options
    if (bytes.length > mostAtOnce) throw tooLarge(`maximum event size exceeded: more than ${mostAtOnce} bytes`)
    return JSON.parse(bytes.toString('utf8')) as Json
  }
}

/** `elements`: those of the outermost lists, as a scanner has noted them under depth 0. Throws what JSON.parse throws. */
export const parseInSlices = (bytes: Buffer, elements: Element[], options: SliceOptions): Promise<Json> =>
  new Parser(options).parse(bytes, elements, 0)
