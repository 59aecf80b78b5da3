/**
 * The baseline: plain node:http that sends fixed headers and a fixed body to every request; with `readsBodies` it
 * reads and drops bodies and answers at their end.
 */
import { createServer } from 'node:http'

export interface BareAnswer {
  headers: Record<string, string>
  body: Buffer
  readsBodies?: boolean
}

process.once('message', ({ headers, body, readsBodies = false }: BareAnswer) => {
  const bytes = Buffer.from(body)
  const server = createServer((request, response) => {
    const answer = () => {
      response.writeHead(200, headers)
      response.end(bytes)
    }
    if (readsBodies) request.on('end', answer).resume()
    else answer()
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
