/**
 * Stands between a client and the server: passes every request and answer on unchanged, and notes what was sent and
 * which status came back.
 */
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface PassedRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** What the client got; 502 when the server gave no answer. */
  status: number
}

export interface RecordingProxy {
  url: string
  /** In the order of their answers. */
  passed: PassedRequest[]
  /** How many are waiting for their answer. */
  waiting(): number
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const passed: PassedRequest[] = []
  let waiting = 0
  const agent = new Agent({ keepAlive: false })

  const ask = (incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, url = '' } = incoming
      request(`${target}${url}`, { method, headers, agent }, resolve).on('error', reject).end(body)
    })

  const server = createServer(async (incoming, outgoing) => {
    waiting += 1
    try {
      const body = await buffer(incoming)
      const { method = 'GET', headers, url: path = '' } = incoming
      const answer = await ask(incoming, body).catch(() => null)
      const status = answer?.statusCode ?? 502
      passed.push({ method, path, headers, body, status })
      outgoing.writeHead(status, answer?.headers)
      outgoing.end(answer ? await buffer(answer) : '')
    } catch {
      // The client hung up before its request was complete: nothing was sent.
      outgoing.destroy()
    } finally {
      waiting -= 1
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    waiting: () => waiting,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
