/** The cost of the process without requests: idle memory, and the time until it answers. */
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from './child.ts'
import { type Figure, inTurns } from './figure.ts'
import { tempFolder } from './temp-folder.ts'

const MEMORY_BAR = 150_000_000
const START_ROUNDS = 7
/** Opens the same stores and listens. */
const BARE = ['bench/bare/stores.mjs']
/** Loading the program leaves a large heap; V8 shrinks it after some time without activity. */
const SETTLE_MS = 75_000

/** A data folder that a server has used before. */
async function usedFolder(): Promise<string> {
  const dataDir = tempFolder()
  const server = await startServer(dataDir)
  await server.stop()
  return dataDir
}

export const idleMemory: Figure = {
  name: 'idle memory over 150 MB',
  bar: { atMost: 1 },
  async measure(say) {
    const server = await startServer(await usedFolder())
    say(`idle for ${SETTLE_MS / 1_000} s`)
    try {
      await pause(SETTLE_MS)
      const bytes = server.residentBytes()
      return { ratio: bytes / MEMORY_BAR, from: `${Math.round(bytes / 1e6)} MB resident` }
    } finally {
      await server.stop()
    }
  },
}

async function timeStart(dataDir: string, args?: string[]): Promise<number> {
  const server = await startServer(dataDir, args)
  await server.stop()
  return server.startMs
}

export const startTime: Figure = {
  name: 'start to first 200 over bare stores',
  bar: { atMost: 1.5 },
  async measure() {
    const dataDir = await usedFolder()
    const round = async (): Promise<[number, number]> => [await timeStart(dataDir), await timeStart(dataDir, BARE)]
    const { ratio, ours, theirs } = await inTurns(START_ROUNDS, round)
    return { ratio, from: `${Math.round(ours)} ms over ${Math.round(theirs)} ms, median of ${START_ROUNDS} rounds` }
  },
}
