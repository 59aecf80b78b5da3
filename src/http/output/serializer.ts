/**
 * Writes answers as JSON by their schemas. A schema is compiled when first needed and kept for every route that answers
 * the same thing: compiling all of them took a third of the start, for answers that most processes never give. A large
 * answer is written in pieces as its reader takes it, a page row by row, so that it is never in memory as one text and
 * other requests are answered in between.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { isFreeForm } from '../schema.ts'
import { inSlices, isLarge, LARGE, PIECE, piecesOfBody } from './json-pieces.ts'

type Write = (body: unknown) => string

interface Compiled {
  /** What `whole` writes by: the route's schema without what makes no difference here. */
  simple: object
  whole: Write
  /** Of one row; null when the schema is not that of a page. */
  row: Write | null
}

export interface Serializer {
  /** As one text, whatever its size. */
  text(reply: FastifyReply, schema: TSchema, body: unknown): string
  /** What a reply may be sent: one text, or a stream when it is large. */
  write(reply: FastifyReply, schema: TSchema, body: unknown): string | Readable
}

/** An object of any keys is written by JSON.stringify in one go; the compiled way goes through it key by key. */
const inOneGo = (schema: TSchema): unknown =>
  JSON.parse(JSON.stringify(schema, (_key, part) => (isFreeForm(part) ? {} : part)))

const NO_ROWS = '"results":[]}'

/** A page whose text has been begun; `next`: the first row that it lacks. */
function* piecesOf(begun: string, { rows, next, write }: { rows: unknown[]; next: number; write: Write }) {
  let text = begun
  for (const row of rows.slice(next)) {
    if (text.length >= PIECE) {
      yield text
      text = ''
    }
    text += `,${write(row)}`
  }
  yield `${text}]}`
}

const streamOf = (pieces: Iterable<string>): Readable => Readable.from(inSlices(pieces), { objectMode: false })

/** The envelope stands around the rows, which come last in it. */
function writePage({ results: rows, ...others }: { results: unknown[] }, compiled: Compiled): string | Readable | null {
  const { whole, row: write } = compiled
  const envelope = write && whole({ ...others, results: [] })
  if (!write || !envelope?.endsWith(NO_ROWS)) return null
  let text = envelope.slice(0, -2)
  for (const [index, row] of rows.entries()) {
    text += index > 0 ? `,${write(row)}` : write(row)
    const next = index + 1
    // The other rows are probably as long as those before.
    const expected = (text.length / next) * rows.length
    if (text.length >= PIECE && expected > LARGE) return streamOf(piecesOf(text, { rows, next, write }))
  }
  return `${text}]}`
}

function writeBody(body: unknown, { simple, whole }: Compiled): string | Readable {
  return isLarge(body) ? streamOf(piecesOfBody(simple, body, whole)) : whole(body)
}

const isPage = (body: unknown): body is { results: unknown[] } =>
  typeof body === 'object' && body !== null && 'results' in body && Array.isArray(body.results)

export function createSerializer(): Serializer {
  const compiled = new WeakMap<TSchema, Compiled>()
  const compile = (reply: FastifyReply, schema: unknown) => reply.compileSerializationSchema(schema as never) as Write
  const compiledFor = (reply: FastifyReply, schema: TSchema): Compiled => {
    let found = compiled.get(schema)
    if (!found) {
      const simple = inOneGo(schema) as { properties?: { results?: { items?: object } } }
      const { items = null } = simple.properties?.results ?? {}
      found = { simple, whole: compile(reply, simple), row: items && compile(reply, items) }
      compiled.set(schema, found)
    }
    return found
  }
  return {
    text: (reply, schema, body) => compiledFor(reply, schema).whole(body),
    write(reply, schema, body) {
      const writers = compiledFor(reply, schema)
      return (isPage(body) && writePage(body, writers)) || writeBody(body, writers)
    },
  }
}
