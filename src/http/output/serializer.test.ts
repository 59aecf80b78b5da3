import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Page } from '../schema.ts'
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
  return {
    isStream: answer instanceof Readable,
    body: JSON.parse(typeof answer === 'string' ? answer : await readText(answer)),
  }
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

it('writes what is no page as one text', async () => {
  const [row] = rowsOf(1, 500_000)
  expect(await written(Row, row)).toEqual({ isStream: false, body: row })
  const Other = Type.Object({ results: Type.Array(Row), hasMore: Type.Boolean() })
  const body = { results: rowsOf(2, 500_000), hasMore: true }
  expect(await written(Other, body)).toEqual({ isStream: false, body })
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
