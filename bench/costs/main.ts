/**
 * `npm run costs [-- --engines=embedded|scale --people=… --events=… --recordings=…]`: sends people, events and recordings to the
 * built server, on the embedded stores or on PostgreSQL, ClickHouse (two shards) and S3 that it starts, and prints what
 * each of the three costs: time, seconds of a core of each program, memory, bytes on disk. docs/scale.md has its figures.
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startServer } from '../child.ts'
import { removeTempFolders, tempFolder } from '../temp-folder.ts'
import { atScale, type Engines, embedded } from './engines.ts'
import { cpuByProgram, memoryByProgram, type Program } from './processes.ts'
import { send, traffic } from './traffic.ts'

const SAMPLE_MS = 1_000

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: 'embedded' },
    people: { type: 'string', default: '100000' },
    events: { type: 'string', default: '1000000' },
    recordings: { type: 'string', default: '1000' },
  },
})
if (!['embedded', 'scale'].includes(values.engines)) throw new Error('--engines is embedded or scale')

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const print = (line: string): void => void process.stdout.write(`${line}\n`)

type Measured<T> = Map<T, number>

/** Those that are more now, and by how much. */
const grown = <T>(now: Measured<T>, before: Measured<T>): [T, number][] =>
  [...now].map(([name, value]): [T, number] => [name, value - (before.get(name) ?? 0)]).filter(([, more]) => more > 0)

async function measure(dataDir: string, engines: Engines): Promise<void> {
  const { people, events, recordings } = values
  const all = traffic({ people: Number(people), events: Number(events), recordings: Number(recordings) })
  await (await startServer(dataDir, undefined, engines.settings)).stop()
  let bytes = await engines.bytes()
  for (const [name, bodies] of Object.entries(all)) {
    const server = await startServer(dataDir, undefined, engines.settings)
    const most = new Map<Program, number>()
    const sampler = setInterval(() => {
      for (const [program, used] of memoryByProgram()) most.set(program, Math.max(most.get(program) ?? 0, used))
    }, SAMPLE_MS)
    const [before, since] = [cpuByProgram(), performance.now()]
    try {
      await send(server.port, bodies)
    } finally {
      clearInterval(sampler)
    }
    const seconds = (performance.now() - since) / 1_000
    const cpu = grown(cpuByProgram(), before).map(([program, used]) => `${program} ${used.toFixed(1)} s`)
    await server.stop()
    const now = await engines.bytes()
    const disk = grown(now, bytes).map(([of, more]) => `${of} ${of.includes('objects') ? more : mb(more)}`)
    bytes = now
    const memory = [...most].filter(([, used]) => used > 0).map(([program, used]) => `${program} ${mb(used)}`)
    print(`${name}\n  time    ${seconds.toFixed(1)} s\n  CPU     ${cpu.join(', ')}`)
    print(`  memory  ${memory.join(', ')}\n  disk    ${disk.join(', ')}`)
  }
}

execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
const dataDir = tempFolder()
const engines = values.engines === 'scale' ? await atScale() : embedded(dataDir)
try {
  await measure(dataDir, engines)
} finally {
  await engines.end()
  removeTempFolders()
}
