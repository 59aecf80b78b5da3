/**
 * Large answers in pieces. What a schema leaves free (results of insights, properties) is most of a large answer; it is
 * cut out, the rest is written by the schema, and the parts are written one by one in the places they had. The pieces
 * together are the text that would have been written in one go.
 */
import { randomUUID } from 'node:crypto'
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { isFreeForm } from '../schema.ts'

/** Answers of more characters are written in pieces. */
export const LARGE = 256 * 1024
/** Characters of a piece: about a millisecond. */
export const PIECE = 64 * 1024

/** Besides its characters a value takes about this many for quotes, a colon and a comma; a number a few more. */
const AROUND = 4
const NUMBER = 8

/** Characters of the value itself; what is inside of it is added to `left`. */
function ownLength(value: unknown, left: unknown[]): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return NUMBER
  if (Array.isArray(value)) {
    for (const item of value) left.push(item)
    return 0
  }
  let length = 0
  for (const [key, item] of Object.entries(value)) {
    length += key.length + AROUND
    left.push(item)
  }
  return length
}

/** Whether the value makes a large answer, by a rough count that ends there. */
export function isLarge(value: unknown): boolean {
  let characters = 0
  const left: unknown[] = [value]
  while (left.length > 0 && characters <= LARGE) characters += AROUND + ownLength(left.pop(), left)
  return characters > LARGE
}

interface Shape {
  type?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  additionalProperties?: unknown
}

/** Nobody can put it into their data. */
const MARK = `part ${randomUUID()} `
const MARKED = new RegExp(`"${MARK}(\\d+)"`)

const isAny = ({ type, anyOf, ...others }: Shape): boolean =>
  type === undefined && anyOf === undefined && !('$ref' in others || 'allOf' in others || 'enum' in others)

/** Takes the free parts out of a body and leaves marks in their places. */
class Cutter {
  readonly parts: unknown[] = []

  cut(shape: Shape, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (isFreeForm(shape as never) || isAny(shape)) return this.#mark(value)
    const [first, second, ...more] = shape.anyOf ?? []
    if (first && second?.type === 'null' && more.length === 0) return this.cut(first, value)
    const { items, properties } = shape
    if (Array.isArray(value)) return items ? value.map((item) => this.cut(items, item)) : value
    if (!properties) return value
    const entries = Object.entries(value).map(([key, item]) => {
      const own = Object.hasOwn(properties, key) ? properties[key] : undefined
      return [key, own ? this.cut(own, item) : item]
    })
    return Object.fromEntries(entries)
  }

  /** What is written by JSON.stringify is asked for what to write instead. */
  #mark(part: unknown): object {
    const mark = `${MARK}${this.parts.push(part) - 1}`
    return { toJSON: () => mark }
  }
}

/** Texts and the numbers of parts, in turns. */
function* joined(texts: string[], parts: unknown[]): Generator<string> {
  let piece = ''
  for (const [place, text] of texts.entries()) {
    piece += place % 2 === 0 ? text : JSON.stringify(parts[Number(text)])
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** The pieces of a body, of which `write` makes the text by its schema; throws at once when the body does not fit it. */
export function piecesOfBody(schema: object, body: unknown, write: (body: unknown) => string): Iterable<string> {
  const cutter = new Cutter()
  return joined(write(cutter.cut(schema as Shape, body)).split(MARKED), cutter.parts)
}

/** The pieces, other work in between. */
export async function* inSlices(pieces: Iterable<string>): AsyncGenerator<string> {
  const slices = new Slices()
  // What has made the answer has probably used up a slice.
  await slices.rest()
  for (const piece of pieces) {
    yield piece
    if (slices.isOver) await slices.rest()
  }
}
