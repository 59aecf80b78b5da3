/** GET person: p99 with a million persons compared with ten thousand. */
import { type RunningServer, startServer } from './child.ts'
import { type Figure, median } from './figure.ts'
import { alternate, ratios } from './load.ts'
import { seedPersons } from './seed.ts'
import { tempFolder } from './temp-folder.ts'

const MANY = 1_000_000
const FEW = 10_000
const PATH = '/api/environments/1/persons/{n}/'

export const personGrowth: Figure = {
  name: 'GET person p99, 1,000,000 over 10,000 persons',
  bar: { atMost: 1.5 },
  async measure(say) {
    const servers: RunningServer[] = []
    try {
      for (const howMany of [MANY, FEW]) {
        const dataDir = tempFolder()
        await seedPersons(dataDir, howMany, say)
        servers.push(await startServer(dataDir))
      }
      say('16 connections, in turns')
      const targets = servers.map(({ port }, i) => ({ port, path: PATH, among: i === 0 ? MANY : FEW }))
      const results = await alternate(targets, { connections: 16, rounds: 7, roundMs: 2_000 })
      const [many, few] = results.map((rounds) => median(rounds.map((round) => round.p99Ms)).toFixed(2))
      return { ratio: median(ratios(results, 'p99Ms')), from: `${many} over ${few} ms` }
    } finally {
      for (const server of servers) await server.stop()
    }
  },
}
