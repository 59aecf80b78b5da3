/** A connection to a listening server, written to by hand. It never closes its own side unless `destroy` is called. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawSocket {
  /** Everything that was received. */
  text(): string
  /** The status line's number; null while nothing came. */
  status(): number | null
  /** Both sides are closed, or the other one broke off. */
  isClosed(): boolean
  write(data: string | Buffer): void
  /** One chunk of a chunked body. */
  chunk(bytes: number): void
  destroy(): void
}

export async function listen(server: FastifyInstance): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

export async function openSocket(port: number): Promise<RawSocket> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let text = ''
  let closed = false
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    text += part
  })
  socket.on('error', () => {
    closed = true
  })
  socket.on('close', () => {
    closed = true
  })
  await once(socket, 'connect')
  return {
    text: () => text,
    status: () => (text === '' ? null : Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])),
    isClosed: () => closed,
    write: (data) => void socket.write(data),
    chunk: (bytes) => void socket.write(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`),
    destroy: () => void socket.destroy(),
  }
}
