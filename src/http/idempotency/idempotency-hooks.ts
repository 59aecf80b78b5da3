/**
 * `Idempotency-Key` around the handler of a route that honours it. Before: the replay, or the claim. In the handler: its
 * answer is stored in the same transaction as its writes. After: a 4xx is stored too, as nothing was written; after a
 * 5xx the claim is released, unless the handler's transaction had stored an answer already.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdempotencyClaim } from '../../model/idempotency.ts'
import type { Serializer } from '../output/serializer.ts'
import type { Route } from '../route.ts'
import { beginIdempotent, type IdempotencyMemory, rememberIn } from './idempotency.ts'

export type IdempotencyHooks = (
  route: Route,
  serializer: Serializer,
) => {
  preValidation: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  onSend: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>
}

/** The list of projects has two paths; this is the one that is stored. */
const ALIASES: Partial<Record<string, string>> = { '/api/environments/': '/api/projects/' }

/** Method and path, the same for all spellings of a URL; the project is part of the idempotency key. */
function requestLine({ method, path }: Route, params: Record<string, string>): string {
  const concrete = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return `${method} ${ALIASES[concrete] ?? concrete}`
}

export function createIdempotencyHooks(memory: IdempotencyMemory): IdempotencyHooks {
  const claims = new WeakMap<FastifyRequest, IdempotencyClaim>()
  return (route, serializer) => ({
    async preValidation(request, reply) {
      const token = request.headers['idempotency-key']
      const { caller, project } = request.passed
      if (typeof token !== 'string' || !caller) return
      const key = { keyId: caller.credential.id, projectId: project?.id ?? 0, token }
      const line = requestLine(route, request.params as Record<string, string>)
      const state = await beginIdempotent(memory, key, line, request.body)
      if ('claim' in state) {
        claims.set(request, state.claim)
        const textOf = (answer: unknown) => serializer.text(reply, route.response, answer)
        request.passed.remember = rememberIn(state.claim, route, textOf)
        return
      }
      reply.code(state.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8')
      reply.serializer((payload: unknown) => payload as string)
      return reply.send(state.body)
    },
    async onSend(request, reply, payload) {
      const claim = claims.get(request)
      if (!claim) return payload
      claims.delete(request)
      if (reply.statusCode >= 500) await memory.abandon(claim)
      else if (reply.statusCode >= 400) {
        await memory.finish(claim, reply.statusCode, String(payload ?? ''))
      }
      return payload
    },
  })
}
