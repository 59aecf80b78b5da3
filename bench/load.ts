/** Orders to the load generator, and alternating rounds, so that a slow moment of the machine affects both sides. */
import { API_KEY, forkFile, type RunningServer, reply, stop } from './child.ts'
import { type Measured, median } from './figure.ts'
import type { LoadOrder, LoadResult } from './load-process.ts'

export interface Target {
  port: number
  path: string
  among?: number
  /** A POST body; see load-process.ts. */
  body?: string
}

export interface RoundOptions {
  connections: number
  rounds: number
  roundMs: number
  /** Called when the rounds that count begin. */
  warmedUp?: () => void
}

function orderFor({ port, path, among = 1, body }: Target, connections: number, ms: number): LoadOrder {
  const until = { ms }
  if (body === undefined) {
    return { port, path, among, headers: { authorization: `Bearer ${API_KEY}` }, connections, until }
  }
  return { port, path, among, headers: { 'content-type': 'application/json' }, bodies: [body], connections, until }
}

const WARM_UP_MS = 2_500

/**
 * One result per round and target, after a longer warm-up round of each that is left out. Many short
 * rounds: the two sides of a ratio should be close together in time.
 */
export async function alternate(targets: Target[], options: RoundOptions): Promise<LoadResult[][]> {
  const { connections, rounds, roundMs } = options
  const load = forkFile('./load-process.ts')
  const results: LoadResult[][] = targets.map(() => [])
  try {
    for (let round = 0; round <= rounds; round++) {
      if (round === 1) options.warmedUp?.()
      for (const [index, target] of targets.entries()) {
        load.send(orderFor(target, connections, round === 0 ? WARM_UP_MS : roundMs))
        const result = await reply<LoadResult>(load)
        if (round > 0) results[index]?.push(result)
      }
    }
    return results
  } finally {
    await stop(load)
  }
}

/** The ratio of each round of two targets, first over second. */
export const ratios = ([first = [], second = []]: LoadResult[][], figure: 'perSecond' | 'p50Ms' | 'p99Ms'): number[] =>
  first.map((result, i) => result[figure] / (second[i]?.[figure] ?? Number.NaN))

/**
 * Requests per second of the server over those of a bare one, in turns, and how many the server has answered for each
 * second of a core, with what it still does after its answers.
 */
export async function overBare(server: RunningServer, bare: Target, options: RoundOptions): Promise<Measured> {
  let since = 0
  const warmedUp = () => {
    since = server.cpuSeconds()
  }
  const results = await alternate([{ ...bare, port: server.port }, bare], { ...options, warmedUp })
  const [ours, theirs] = results.map((rounds) => Math.round(median(rounds.map((round) => round.perSecond))))
  const answered = results[0]?.reduce((sum, { requests }) => sum + requests, 0) ?? 0
  const perCpuSecond = Math.round(answered / (server.cpuSeconds() - since))
  const from = `${ours} over ${theirs} requests/s, ${perCpuSecond} per CPU-second`
  return { ratio: median(ratios(results, 'perSecond')), from }
}
