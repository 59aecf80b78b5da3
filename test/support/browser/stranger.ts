/** A port of another site that answers nobody: it notes who comes, also who only connects. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

export interface Stranger {
  url: string
  /** The first lines of the requests; of a connection without any, `connected`. */
  came: string[]
  close(): Promise<void>
}

export async function openStranger(): Promise<Stranger> {
  const came: string[] = []
  const server = createServer((socket) => {
    came.push('connected')
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes) => {
      came.push(bytes.toString('latin1').split('\r\n')[0] ?? '')
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    came,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
