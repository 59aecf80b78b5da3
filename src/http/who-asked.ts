/** What lines of the log say about a request: its id, and who sent it as far as the gate knows. Never a secret. */
import type { FastifyRequest } from 'fastify'

export interface WhoAsked {
  reqId: string
  /** The client, or what a trusted proxy says it is. */
  address: string
  project?: number
  /** Of the personal API key, or of the sign-in; not the secret itself. */
  keyId?: string
}

export function whoAsked({ id, ip, passed }: FastifyRequest): WhoAsked {
  const { project, caller } = passed ?? {}
  return {
    reqId: id,
    address: ip,
    ...(project && { project: project.id }),
    ...(caller && { keyId: caller.credential.id }),
  }
}
