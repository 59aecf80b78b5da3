/** A proxy before a ClickHouse server that loses requests and answers, as configured. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from './server.ts'

/**
 * What happens to a request: `pass`; the connection is cut before the server sees it (`refuse`), or after it has carried it
 * out (`cut`); or the server gets half of it (`half`).
 */
type Wish = 'pass' | 'refuse' | 'cut' | 'half'

export interface LossyProxy extends Address {
  /** By the statement, as far as it stands in the address: inserts do. */
  behave(behaviour: (statement: string) => Wish): void
  stop(): Promise<void>
}

function forward(from: IncomingMessage, to: ServerResponse, target: Address, wish: Wish): void {
  const { method, url: path, headers } = from
  const onward = request({ host: target.host, port: target.port, method, path, headers }, (answer) => {
    if (wish === 'cut') {
      answer.resume().on('end', () => to.socket?.destroy())
      return
    }
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(to)
  })
  onward.on('error', () => to.socket?.destroy())
  if (wish !== 'half') {
    from.pipe(onward)
    return
  }
  from.once('data', (part: Buffer) => {
    onward.write(part.subarray(0, part.length / 2), () => {
      onward.destroy()
      to.socket?.destroy()
    })
  })
}

export async function startLossyProxy(target: Address): Promise<LossyProxy> {
  let behaviour: (statement: string) => Wish = () => 'pass'
  const server = createServer((from, to) => {
    const statement = new URL(from.url ?? '/', 'http://proxy').searchParams.get('query') ?? ''
    const wish = behaviour(statement)
    if (wish === 'refuse') from.socket.destroy()
    else forward(from, to, target, wish)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    behave(next) {
      behaviour = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Anything may happen to an insert, to four of so many; `seed`: which of them. */
export function misbehave(proxies: LossyProxy[], seed: number, among: number): void {
  let state = seed
  const wishes: Wish[] = ['cut', 'refuse', 'half', 'cut']
  for (const proxy of proxies) {
    proxy.behave((statement) => {
      if (!statement.startsWith('INSERT')) return 'pass'
      state = (state * 48_271) % 0x7fffffff
      return wishes[state % among] ?? 'pass'
    })
  }
}
