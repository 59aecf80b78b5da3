/** What the processes that the bench has started use, by the program they run; from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** By what is in their command lines. */
const PROGRAMS = { hedgerow: 'start.cjs', postgresql: 'postgres', clickhouse: 'clickhouse', s3: 's3rver-process' }
export type Program = keyof typeof PROGRAMS

const TICKS_PER_SECOND = 100

interface Seen {
  pid: number
  parent: number
  command: string
  cpuSeconds: number
}

function look(pid: number): Seen | null {
  try {
    // Its name, in brackets, may contain blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    // Its own, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return { pid, parent: Number(fields[1]), command, cpuSeconds: ticks / TICKS_PER_SECOND }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** Of memory that several processes share, each has its share. */
function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function family(): Map<Program, Seen[]> {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => look(Number(name)) ?? [])
  const programs = Object.entries(PROGRAMS) as [Program, string][]
  return new Map(
    programs.map(([program, word]) => {
      const first = all.filter(({ parent, command }) => parent === process.pid && command.includes(word))
      const roots = new Set(first.map(({ pid }) => pid))
      return [program, [...first, ...all.filter(({ parent }) => roots.has(parent))]]
    }),
  )
}

const summed = (measure: (seen: Seen) => number): Map<Program, number> =>
  new Map([...family()].map(([program, seen]) => [program, seen.reduce((sum, one) => sum + measure(one), 0)]))

/** Seconds of a core since each was started. */
export const cpuByProgram = (): Map<Program, number> => summed(({ cpuSeconds }) => cpuSeconds)

export const memoryByProgram = (): Map<Program, number> => summed(({ pid }) => memoryOf(pid))
