/** GET person: requests per second compared with a bare node:http server that sends the same bytes. */
import type { BareAnswer } from './bare/server.ts'
import { API_KEY, forkFile, type RunningServer, reply, startServer, stop } from './child.ts'
import type { Figure, Measured } from './figure.ts'
import { overBare } from './load.ts'
import { seedPersons } from './seed.ts'
import { tempFolder } from './temp-folder.ts'

export const PERSONS = 10_000
const PATH = '/api/environments/1/persons/{n}/'

/** The server's real response for one person. */
async function recordAnswer(port: number): Promise<BareAnswer> {
  const response = await fetch(`http://127.0.0.1:${port}${PATH.replace('{n}', '1')}`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  })
  if (response.status !== 200) throw new Error(`GET person answered ${response.status}.`)
  const added = ['date', 'connection', 'keep-alive', 'transfer-encoding']
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !added.includes(name)))
  return { headers, body: Buffer.from(await response.arrayBuffer()) }
}

/** Of a server with the persons 1 to PERSONS, which it stops. */
export async function measurePersons(server: RunningServer, say: (progress: string) => void): Promise<Measured> {
  const bare = forkFile('./bare/server.ts')
  try {
    bare.send(await recordAnswer(server.port))
    const port = await reply<number>(bare)
    say('64 connections, in turns')
    return await overBare(server, { port, path: PATH, among: PERSONS }, { connections: 64, rounds: 31, roundMs: 500 })
  } finally {
    await stop(bare)
    await server.stop()
  }
}

export const personThroughput: Figure = {
  name: 'GET person over bare node:http, requests/s',
  bar: { atLeast: 0.5 },
  async measure(say) {
    const dataDir = tempFolder()
    await seedPersons(dataDir, PERSONS, say)
    return measurePersons(await startServer(dataDir), say)
  },
}
