/** For how long requests of a kind were not answered as they should be, at the longest. */
interface Outage {
  /** Of the first of those that were not, in a row; null: the last one was. */
  since: number | null
  longestMs: number
}

/** Characters. */
const SHOWN = 200

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

export class Outages {
  readonly #kinds = new Map<string, Outage>()
  readonly #statuses = new Map<string, number>()
  /** What was said where the answer was 5xx. */
  readonly #reasons = new Map<string, number>()

  note(kind: string, status: number, text: string): void {
    count(this.#statuses, `${kind} ${status === 0 ? 'cut off' : status}`)
    if (status >= 500) count(this.#reasons, `${kind} ${status}, ${text.slice(0, SHOWN)}`)
    const now = performance.now()
    const outage = this.#kinds.get(kind) ?? { since: null, longestMs: 0 }
    this.#kinds.set(kind, outage)
    const isDown = status === 0 || status >= 500
    if (isDown) outage.since ??= now
    if (outage.since !== null) outage.longestMs = Math.max(outage.longestMs, now - outage.since)
    if (!isDown) outage.since = null
  }

  lines(): string[] {
    const longest = [...this.#kinds].map(
      ([kind, { longestMs }]) => `longest outage of ${kind}: ${(longestMs / 1_000).toFixed(1)} s`,
    )
    const answers = [...this.#statuses].sort().map(([name, times]) => `${name}: ${times}`)
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b - a).map(([name, times]) => `${times} × ${name}`)
    return [...longest, `answers: ${answers.join(', ')}`, ...reasons]
  }
}
