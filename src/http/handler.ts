/** Wraps a route's handler: makes its call from the request, and the reply from its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csvAnswer } from './output/output-format.ts'
import { type CountParked, withParkedHeader } from './output/parked-header.ts'
import type { Serializer } from './output/serializer.ts'
import { type CallParts, RequestCall } from './request-call.ts'
import { Answer, type Route } from './route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
export const NO_CONTENT = 204

function sendAnswer(reply: FastifyReply, route: Route, answer: Answer, serializer: Serializer): FastifyReply {
  const success = route.status ?? 200
  const status = answer.status ?? success
  reply.code(status).headers(answer.headers)
  // Bytes, text and streams with their own content type bypass the JSON serialiser.
  const isRaw = 'content-type' in answer.headers || answer.body === undefined
  if (isRaw) return reply.serializer((payload: unknown) => payload as string).send(answer.body)
  const text = status === success ? serializer.text(reply, route.response, answer.body) : JSON.stringify(answer.body)
  return reply.header('content-type', JSON_TYPE).send(text)
}

export interface HandlerParts extends CallParts {
  serializer: Serializer
  countParked: CountParked
}

export function createHandler(route: Route, { serializer, countParked, ...parts }: HandlerParts) {
  const { csv, status = 200, readsEvents } = route
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const call = new RequestCall(route, request, reply, parts)
    const shared = request.passed.shared ? route.shared : undefined
    const handle = () => (shared ?? route).handler(call)
    const result = await (readsEvents ? withParkedHeader(countParked, call.project.id, reply, handle) : handle())
    if (result instanceof Answer) return sendAnswer(reply, route, result, serializer)
    if (csv && call.format === 'csv') return sendAnswer(reply, route, csvAnswer(csv, result), serializer)
    reply.code(status)
    if (status === NO_CONTENT) return undefined
    reply.header('content-type', JSON_TYPE)
    // The answer itself, not the reply: a reply is waited for, with half a dozen listeners.
    return serializer.write(reply, shared?.response ?? route.response, result)
  }
}
