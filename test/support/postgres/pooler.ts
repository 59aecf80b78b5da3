/**
 * Stands between clients and PostgreSQL as PgBouncer does: it lets clients in by itself, and gives each a connection of the
 * server for a transaction, or for as long as it stays.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

export type PoolMode = 'transaction' | 'session'

export interface Pooler {
  url: string
  close(): Promise<void>
}

const message = (type: string, ...words: number[]): Buffer => {
  const body = Buffer.alloc(4 * words.length + 5)
  body.write(type)
  body.writeInt32BE(4 * words.length + 4, 1)
  for (const [place, word] of words.entries()) body.writeInt32BE(word, 5 + 4 * place)
  return body
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
/** Let in; a number of the pooler's own; ready. */
const welcome = (): Buffer => Buffer.concat([message('R', 0), message('K', randomInt(1e9), randomInt(1e9)), READY])

/** A connection of the server, logged in. */
async function connect(url: string): Promise<Socket> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  return stream
}

/** Calls `idle` when the server says that no transaction is open. */
function watchIdle(idle: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      if (rest[0] === READY[0] && rest[5] === READY[5]) idle()
      rest = rest.subarray(end)
    }
  }
}

export async function startPooler(target: string, mode: PoolMode): Promise<Pooler> {
  const free: Socket[] = []
  const all = new Set<Socket>()
  const serve = (client: Socket) => {
    let isIn = false
    let server: Promise<Socket> | null = null
    const giveBack = (socket: Socket) => {
      socket.removeAllListeners('data')
      server = null
      free.push(socket)
    }
    const take = async (): Promise<Socket> => {
      const socket = free.pop() ?? (await connect(target))
      all.add(socket)
      const look = watchIdle(() => mode === 'transaction' && giveBack(socket))
      socket.on('data', (chunk: Buffer) => {
        client.write(chunk)
        look(chunk)
      })
      return socket
    }
    client.on('error', () => {})
    client.on('data', (chunk: Buffer) => {
      if (!isIn) {
        isIn = true
        client.write(welcome())
        return
      }
      if (chunk[0] === 'X'.charCodeAt(0)) return client.end()
      server ??= take()
      void server.then((socket) => socket.write(chunk))
    })
    all.add(client)
  }
  const listener = createServer(serve).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(target)
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    async close() {
      for (const socket of all) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
