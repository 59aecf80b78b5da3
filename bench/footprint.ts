/** The cost of the process without requests: idle memory, and the time until it answers. */
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from './child.ts'
import { type Figure, median } from './figure.ts'
import { tempFolder } from './temp-folder.ts'

const MEMORY_BAR = 150_000_000
const START_BAR_MS = 1_500
const STARTS = 5
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

export const startTime: Figure = {
  name: 'start to first 200 over 1.5 s',
  bar: { atMost: 1 },
  async measure() {
    const dataDir = await usedFolder()
    const times: number[] = []
    for (let i = 0; i < STARTS; i++) {
      const server = await startServer(dataDir)
      times.push(server.startMs)
      await server.stop()
    }
    const ms = median(times)
    return { ratio: ms / START_BAR_MS, from: `${Math.round(ms)} ms, median of ${STARTS}` }
  },
}
