import { once } from 'node:events'
import { connect } from 'node:net'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { expect, it } from 'vitest'
import { RequestCall } from './request-call.ts'
import type { Route } from './route.ts'

/** What a handler sees of a request to a server on this machine; `client` is the connection that it came over. */
async function withCall(
  use: (call: RequestCall, reply: FastifyReply, client: ReturnType<typeof connect>) => Promise<void>,
): Promise<void> {
  const server = fastify()
  let client: ReturnType<typeof connect> | undefined
  const used = new Promise<void>((resolve, reject) => {
    server.get('/', async (request: FastifyRequest, reply) => {
      Object.assign(request, { passed: {} })
      const parts = { urlOf: () => new URL('http://localhost/'), recheck: async () => true }
      const call = new RequestCall({} as Route, request, reply, parts)
      await use(call, reply, client as ReturnType<typeof connect>).then(resolve, reject)
      return {}
    })
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  client = connect(address.port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await used
  client.destroy()
  await server.close()
}

it('a request has one signal, which is aborted when the client disconnects', () =>
  withCall(async (call, { raw }, client) => {
    const before = raw.listenerCount('close')
    const { signal } = call
    expect(call.signal).toBe(signal)
    expect(raw.listenerCount('close')).toBe(before + 1)
    expect(signal.aborted).toBe(false)
    client.destroy()
    await once(signal, 'abort')
    expect(call.signal.aborted).toBe(true)
  }))

it('the signal of a request whose client has gone already says so at once', () =>
  withCall(async (call, { raw }, client) => {
    client.destroy()
    await once(raw, 'close')
    expect(call.signal.aborted).toBe(true)
  }))
