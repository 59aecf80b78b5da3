/** `Idempotency-Key` around the handler of a route that honours it: the replay before, the remembering after. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginIdempotent, type IdempotencyMemory, withoutSecrets } from './idempotency.ts'
import type { Route } from './route.ts'

export type IdempotencyHooks = (route: Route) => {
  preValidation: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  onSend: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>
}

export function createIdempotencyHooks(memory: IdempotencyMemory): IdempotencyHooks {
  const claims = new WeakMap<FastifyRequest, Parameters<IdempotencyMemory['abandon']>[0]>()
  return (route) => ({
    async preValidation(request, reply) {
      const token = request.headers['idempotency-key']
      const { caller, project } = request.passed
      if (typeof token !== 'string' || !caller) return
      const key = { keyId: caller.key.id, projectId: project?.id ?? 0, token }
      const replay = await beginIdempotent(memory, key, `${route.method} ${route.path}`, request.body)
      if (!replay) {
        claims.set(request, key)
        return
      }
      reply.code(replay.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8')
      reply.serializer((payload: unknown) => payload as string)
      return reply.send(replay.body)
    },
    async onSend(request, reply, payload) {
      const key = claims.get(request)
      if (!key) return payload
      claims.delete(request)
      const secret = route.idempotent?.secret ?? []
      if (reply.statusCode >= 500) await memory.abandon(key)
      else await memory.finish(key, reply.statusCode, withoutSecrets(String(payload ?? ''), secret))
      return payload
    },
  })
}
