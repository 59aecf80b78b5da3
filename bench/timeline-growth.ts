/** properties_timeline of one person with five million events in the project compared with a hundred thousand. */
import { type RunningServer, startServer } from './child.ts'
import { type Figure, median } from './figure.ts'
import { alternate, ratios } from './load.ts'
import { seedEvents, seedPersons } from './seed.ts'
import { tempFolder } from './temp-folder.ts'

const MANY = 5_000_000
const FEW = 100_000
/** The person's own events: the same number in both, so that only the events of others differ. */
const OWN = 200
const PATH = '/api/environments/1/persons/1/properties_timeline/'

export const timelineGrowth: Figure = {
  name: 'properties_timeline, 5,000,000 over 100,000 events',
  bar: { atMost: 3 },
  async measure(say) {
    const servers: RunningServer[] = []
    try {
      for (const howMany of [MANY, FEW]) {
        const dataDir = tempFolder()
        await seedPersons(dataDir, 100, say)
        await seedEvents(dataDir, howMany, OWN, say)
        servers.push(await startServer(dataDir))
      }
      say('one connection, in turns')
      const targets = servers.map(({ port }) => ({ port, path: PATH }))
      const results = await alternate(targets, { connections: 1, rounds: 7, roundMs: 1_000 })
      const [many, few] = results.map((rounds) => median(rounds.map((round) => round.p50Ms)).toFixed(2))
      return { ratio: median(ratios(results, 'p50Ms')), from: `${many} over ${few} ms` }
    } finally {
      for (const server of servers) await server.stop()
    }
  },
}
