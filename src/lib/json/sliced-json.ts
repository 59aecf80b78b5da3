/**
 * Parses large untrusted JSON without blocking the event loop: element by element of its outermost list, with a pause
 * after each time slice. The result is what JSON.parse gives for the whole text, and what it would refuse is refused.
 * The caller may replace elements, for their size, before they are parsed.
 */

import { Slices } from '../concurrency/time-slices.ts'
import { tooLarge } from '../errors.ts'
import type { Json } from './json.ts'
import { type Element, JsonScanner } from './json-scanner.ts'

/** Bytes scanned between two checks of the time slice. */
const STEP = 256 * 1024
/** Elements larger than this are themselves parsed in slices, if the caller gives `innerDepth`. */
const LARGE = 512 * 1024
const ANY = { depth: Number.POSITIVE_INFINITY, nodes: Number.POSITIVE_INFINITY }

export interface SliceOptions {
  /** Maximum bytes per call of JSON.parse; a text that would need a larger one is refused. */
  mostAtOnce: number
  /** The value to use instead of an element that is too large to parse; undefined: parse it. */
  replace: ((element: Element) => Json | undefined) | null
  /** Depth, inside a large element, of the lists that are parsed element by element; null: parse it whole. */
  innerDepth: number | null
}

/** Scans to the end of the text, in time slices. Returns what the scanner returns. */
export async function scanInSlices(scanner: JsonScanner, bytes: Buffer): Promise<ReturnType<JsonScanner['scan']>> {
  const slices = new Slices()
  while (scanner.at < bytes.length) {
    const excess = scanner.scan(bytes, Math.min(bytes.length, scanner.at + STEP))
    if (excess) return excess
    if (slices.isOver) await slices.rest()
  }
  return null
}

/** The text with each element replaced by an object that holds its number: `{"":0}`, `{"":1}`… */
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

/** The places of the elements in the skeleton: all objects and lists that are in lists at that depth. */
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

/** Length of the text outside the elements. */
const lengthWithout = (bytes: Buffer, elements: Element[]): number =>
  elements.reduce((length, { start, end }) => length - (end - start), bytes.length)

class Parser {
  readonly #options: SliceOptions
  readonly #slices = new Slices()

  constructor(options: SliceOptions) {
    this.#options = options
  }

  /** `elements`: those of lists at `depth`, as a scanner records them. */
  async parse(bytes: Buffer, elements: Element[], depth: number): Promise<Json> {
    const { innerDepth, mostAtOnce } = this.#options
    const remains = lengthWithout(bytes, elements)
    // The bulk is outside the outermost lists: the text is one large element itself.
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

/** `elements`: those of the outermost lists, as a scanner records them for depth 0. Throws what JSON.parse throws. */
export const parseInSlices = (bytes: Buffer, elements: Element[], options: SliceOptions): Promise<Json> =>
  new Parser(options).parse(bytes, elements, 0)
