/** An HTTP receiver on loopback: answers as configured and records what it got. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

type Answering = (request: ReceivedRequest, response: ServerResponse) => void

export interface Receiver {
  url: string
  /** `127.0.0.1:port` */
  host: string
  requests: ReceivedRequest[]
  answer(answering: Answering): void
  stop(): Promise<void>
}

const fine: Answering = (_request, response) => void response.end('ok')

export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let answering = fine
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body: Buffer.concat(parts).toString('utf8') }
      requests.push(request)
      answering(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    answer(next) {
      answering = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
