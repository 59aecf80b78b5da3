import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { AnyJson, FreeForm, Nullable, Page } from '../schema.ts'
import { createSerializer } from './serializer.ts'

const Row = Type.Object({ id: Type.Integer(), properties: Type.Record(Type.String(), Type.Unknown()) })
const RowPage = Page(Row)
const rowsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, id) => ({ id, properties: { text: '"ä😀\\'.repeat(length), list: [id, null] } }))
const pageOf = (results: object[]) => ({ count: results.length, next: 'http://a/?b="', previous: null, results })

const serializer = createSerializer()
let app: FastifyInstance
let reply: FastifyReply

beforeAll(async () => {
  app = fastify()
  app.get('/', async (_request, given) => {
    reply = given
    return {}
  })
  await app.inject('/')
})
afterAll(() => app.close())

const written = async (schema: TSchema, body: unknown) => {
  const answer = serializer.write(reply, schema, body)
  const text = typeof answer === 'string' ? answer : await readText(answer)
  // The same bytes as in one go.
  expect(text === serializer.text(reply, schema, body)).toBe(true)
  return { isStream: answer instanceof Readable, body: JSON.parse(text) }
}

it.each([
  ['no rows', 0, 0, false],
  ['one row', 1, 10, false],
  ['some rows', 100, 10, false],
  ['one large row', 1, 200_000, true],
  ['two large rows', 2, 200_000, true],
  ['many rows', 20_000, 10, true],
])('writes a page of %s', async (_, count, length, isStream) => {
  const page = pageOf(rowsOf(count, length))
  expect(await written(RowPage, page)).toEqual({ isStream, body: page })
})

it('writes what is no page in pieces when it is large', async () => {
  const [small] = rowsOf(1, 10)
  expect(await written(Row, small)).toEqual({ isStream: false, body: small })
  const [row] = rowsOf(1, 500_000)
  expect(await written(Row, row)).toEqual({ isStream: true, body: row })
  const Other = Type.Object({ results: Type.Array(Row), hasMore: Type.Boolean() })
  const body = { results: rowsOf(2, 500_000), hasMore: true }
  expect(await written(Other, body)).toEqual({ isStream: true, body })
})

it('writes results of any shape in pieces, wherever they are and whatever is in them', async () => {
  const values = [null, 0, -1.5, '', '"\\\u2028', true, [], {}, [[1, [null]]], { toJSON: 'text', __proto__x: 1 }]
  const results = Array.from({ length: 6_000 }, (_, i) => ({ label: `part ${i}`, values, days: ['2026-03-01'] }))
  const Result = Nullable(Type.Array(AnyJson()))
  const Tile = Type.Object({
    id: Type.Integer(),
    insight: Type.Object({ result: Result, query: Nullable(FreeForm()) }),
  })
  const Dashboard = Type.Object({ name: Nullable(Type.String()), tiles: Type.Array(Tile), any: AnyJson() })
  const tiles = [
    { id: 1, insight: { result: results, query: { kind: 'TrendsQuery' } } },
    { id: 2, insight: { result: null, query: null } },
    { id: 3, insight: { result: values, query: {} } },
  ]
  const body = { name: null, tiles, any: results[0] }
  expect(await written(Dashboard, body)).toEqual({ isStream: true, body })
  const dates = { ...body, any: { at: new Date(0), none: undefined } }
  expect((await written(Dashboard, dates)).body.any).toEqual({ at: '1970-01-01T00:00:00.000Z' })
})

it('answers others while it writes a large answer', async () => {
  const body = { id: 1, properties: {} }
  const Large = Type.Object({ results: Type.Array(AnyJson()), isWhole: Type.Boolean() })
  let slow = 0
  const part = () => ({
    toJSON() {
      const slice = new Slices()
      while (!slice.isOver);
      slow++
      return 'x'.repeat(300_000)
    },
    text: 'x'.repeat(300_000),
  })
  const answer = serializer.write(reply, Large, { results: [part(), part(), part()], isWhole: true }) as Readable
  const seen: number[] = []
  const other = new Promise<void>((resolve) => {
    const turn = () => {
      seen.push(slow)
      serializer.write(reply, Row, body)
      if (slow < 3) setImmediate(turn)
      else resolve()
    }
    setImmediate(turn)
  })
  await Promise.all([readText(answer), other])
  expect(seen).toEqual(expect.arrayContaining([1, 2]))
})

it('leaves out what the schema does not have, in rows as in the envelope', async () => {
  const page = { ...pageOf([{ id: 1, properties: {}, secret: 'a' }]), secret: 'b' }
  expect((await written(RowPage, page)).body).toEqual(pageOf([{ id: 1, properties: {} }]))
})

it('writes the rows of a large page when they are read', async () => {
  let seen = 0
  const rows = rowsOf(50, 20_000).map(({ id, properties }) => ({
    id,
    get properties() {
      seen++
      return properties
    },
  }))
  const answer = serializer.write(reply, RowPage, pageOf(rows)) as Readable
  const before = seen
  expect(before).toBeLessThan(25)
  expect(JSON.parse(await readText(answer)).results).toHaveLength(50)
  expect(seen).toBeGreaterThan(before)
})
