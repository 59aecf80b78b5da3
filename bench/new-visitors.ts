/** Events of people never seen before, compared with the same events of people that are known, on one growing store. */
import type { ChildProcess } from 'node:child_process'
import { batchBodies, sendBatches, untilDrained } from './batches.ts'
import { forkFile, PROJECT_TOKEN, startServer, stop } from './child.ts'
import { type Figure, inTurns, type Measured } from './figure.ts'
import { tempFolder } from './temp-folder.ts'

/** People in a round; with the first one, which warms up, 120,000 come to be. */
const PEOPLE = 20_000
const ROUNDS = 5

/** Events per second, stored and drained. */
async function throughput(load: ChildProcess, port: number, bodies: string[], events: number): Promise<number> {
  const since = performance.now()
  await sendBatches(load, port, bodies)
  await untilDrained(port)
  return events / ((performance.now() - since) / 1_000)
}

/** Of a running server. Each round brings new people, and then an event of each of them again. */
export async function compareVisitors(port: number, token: string, say: (progress: string) => void): Promise<Measured> {
  const load = forkFile('./load-process.ts')
  // No two runs on one folder bring the same people.
  const run = Date.now()
  try {
    const { ratio, ours, theirs } = await inTurns(ROUNDS, async (round) => {
      say(`${PEOPLE} new visitors, then the same again, round ${round} of ${ROUNDS}`)
      const ids = Array.from({ length: PEOPLE }, (_, n) => `${run}-${round}-${n}-visitor`)
      const bodies = batchBodies(ids, token)
      const fresh = await throughput(load, port, bodies, PEOPLE)
      return [fresh, await throughput(load, port, bodies, PEOPLE)]
    })
    return { ratio, from: `${Math.round(ours)} over ${Math.round(theirs)} events/s` }
  } finally {
    await stop(load)
  }
}

async function onNewFolder(say: (progress: string) => void): Promise<Measured> {
  const server = await startServer(tempFolder())
  try {
    return await compareVisitors(server.port, PROJECT_TOKEN, say)
  } finally {
    await server.stop()
  }
}

export const newVisitors: Figure = {
  name: 'new visitors over known ones, events/s',
  bar: { atLeast: 0.5 },
  measure: onNewFolder,
}
