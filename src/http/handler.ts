/** Around a route's handler: its call before, and after it the turning of its answer into a reply. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { csvAnswer } from './output/output-format.ts'
import { type CountParked, withParkedHeader } from './output/parked-header.ts'
import { RequestCall, type UrlOf } from './request-call.ts'
import { Answer, type Route } from './route.ts'
import { isFreeForm } from './schema.ts'

/** An object of any keys is written by JSON.stringify in one go; the compiled way goes through it key by key. */
const inOneGo = (schema: TSchema): unknown =>
  JSON.parse(JSON.stringify(schema, (_key, part) => (isFreeForm(part) ? {} : part)))

export type Serialize = (reply: FastifyReply, schema: TSchema, body: unknown) => string

/**
 * Lets a body out by its schema. Compiled when first needed and kept for every route that answers the same thing:
 * compiling all of them took a third of the start, for answers that most processes never give.
 */
export function createSerialize(): Serialize {
  const compiled = new WeakMap<TSchema, (body: unknown) => string>()
  return (reply, schema, body) => {
    let serialize = compiled.get(schema)
    if (!serialize) {
      serialize = reply.compileSerializationSchema(inOneGo(schema) as never) as (body: unknown) => string
      compiled.set(schema, serialize)
    }
    return serialize(body)
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
export const NO_CONTENT = 204

function sendAnswer(reply: FastifyReply, route: Route, answer: Answer, serialize: Serialize): FastifyReply {
  const success = route.status ?? 200
  const status = answer.status ?? success
  reply.code(status).headers(answer.headers)
  // Bytes, text and streams with a type of their own pass by the JSON serialiser.
  const isRaw = 'content-type' in answer.headers || answer.body === undefined
  if (isRaw) return reply.serializer((payload: unknown) => payload as string).send(answer.body)
  const text = status === success ? serialize(reply, route.response, answer.body) : JSON.stringify(answer.body)
  return reply.header('content-type', JSON_TYPE).send(text)
}

const LARGE = 1_000_000

/** As text Node would copy a large answer twice more, to measure it and to write it. */
const bytesIfLarge = (text: string): string | Buffer => (text.length > LARGE ? Buffer.from(text) : text)

export interface HandlerParts {
  urlOf: UrlOf
  serialize: Serialize
  countParked: CountParked
}

export function createHandler(route: Route, { urlOf, serialize, countParked }: HandlerParts) {
  const { csv, status = 200, readsEvents } = route
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const call = new RequestCall(route, request, reply, urlOf)
    const shared = request.passed.shared ? route.shared : undefined
    const handle = () => (shared ?? route).handler(call)
    const result = await (readsEvents ? withParkedHeader(countParked, call.project.id, reply, handle) : handle())
    if (result instanceof Answer) return sendAnswer(reply, route, result, serialize)
    if (csv && call.format === 'csv') return sendAnswer(reply, route, csvAnswer(csv, result), serialize)
    reply.code(status)
    if (status === NO_CONTENT) return undefined
    reply.header('content-type', JSON_TYPE)
    // The answer itself, not the reply: a reply is waited for, with half a dozen listeners.
    return bytesIfLarge(serialize(reply, shared?.response ?? route.response, result))
  }
}
