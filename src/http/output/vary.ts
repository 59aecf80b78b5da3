/** `Vary` names every header that an answer depends on: each part of the server adds its own. */
import type { FastifyReply } from 'fastify'

export function addVary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? header : `${others}, ${header}`)
}
