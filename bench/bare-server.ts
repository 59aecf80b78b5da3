/** The yardstick: node:http and nothing else, sending the headers and body it is told to every request. */
import { createServer } from 'node:http'

export interface BareAnswer {
  headers: Record<string, string>
  body: Buffer
}

process.once('message', ({ headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body)
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
