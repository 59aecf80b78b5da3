/** For how long requests of a kind were not answered as they should be, at the longest. */
interface Outage {
  /** Of the first of those that were not, in a row; null: the last one was. */
  since: number | null
  longestMs: number
}

export class Outages {
  readonly #kinds = new Map<string, Outage>()
  readonly #statuses = new Map<string, number>()

  note(kind: string, status: number): void {
    const name = `${kind} ${status === 0 ? 'cut off' : status}`
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1)
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
    const answers = [...this.#statuses].sort().map(([name, count]) => `${name}: ${count}`)
    return [...longest, `answers: ${answers.join(', ')}`]
  }
}
