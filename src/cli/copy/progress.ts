/** Says how far something that takes long has come, every few seconds, and how long the rest will take. */
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE, SECOND } from '../../lib/time/time.ts'
import type { CopyReport } from '../../stores/copy/copy-stores.ts'

const EVERY_MS = 5 * SECOND

const inWords = (ms: number): string =>
  ms < 2 * MINUTE ? `${Math.ceil(ms / SECOND)} s` : `${Math.ceil(ms / MINUTE)} minutes`

const amount = (unit: 'rows' | 'bytes', count: number): string =>
  unit === 'bytes' ? `${(count / 1e6).toFixed(1)} MB` : `${count} rows`

/** `print` gets lines without their end. */
export const copyReport = (print: (line: string) => void, clock: Pick<Clock, 'steady'>): CopyReport => ({
  say: print,
  begin(what, unit, all) {
    const began = clock.steady()
    let saidAt = began
    let [before, done] = [0, 0]
    print(`${what}: ${amount(unit, all)}.`)
    return (more, earlier = false) => {
      if (earlier) before += more
      else done += more
      const now = clock.steady()
      if (now - saidAt < EVERY_MS || done === 0) return
      saidAt = now
      const left = Math.max(0, all - before - done)
      const rest = (left / done) * (now - began)
      const share = all === 0 ? 100 : Math.min(100, Math.floor((100 * (before + done)) / all))
      print(`${what}: ${amount(unit, before + done)} of ${amount(unit, all)} (${share}%), ${inWords(rest)} left.`)
    }
  },
})
