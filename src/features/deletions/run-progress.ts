/**
 * Tells all processes what a run is doing: its row says in which phase it is, since when and, every few seconds, that it is
 * still being worked on. So a run whose process was killed is not taken for one that goes on. A phase that cannot be stored
 * ends the run, as any failure of the SQL store does; that it is still being worked on may be missed.
 */
import type { Clock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'
import type { DeletionRun, RunPhase } from '../../model/persons/deletion-run.ts'
import type { SqlStores } from '../../model/stores.ts'

const BEAT_MS = 5 * SECOND
/** A run that has not been seen for so long is not under way; the clocks of two machines may differ by some seconds. */
const SEEN_FOR = 6 * BEAT_MS

export const isUnderWay = ({ isUnderWay, seenAt }: DeletionRun, now: number): boolean =>
  isUnderWay && Math.abs(now - seenAt) < SEEN_FOR

export interface ProgressParts {
  stores: Pick<SqlStores, 'transaction'>
  clock: Clock
}

export class RunProgress {
  readonly id: number
  readonly #parts: ProgressParts
  /** Compacted before it was cut off: what that gave back is not known. */
  readonly #hadCompacted: boolean
  #phase: RunPhase = 'draining'
  #isFinished = false
  readonly #timer: NodeJS.Timeout

  /** `projectId`: of which project; null for all. */
  static async begin(parts: ProgressParts, projectId: number | null): Promise<RunProgress> {
    const { id, phase } = await parts.stores.transaction((tx) => tx.deletionRuns.begin(projectId, parts.clock.now()))
    return new RunProgress(parts, id, phase === 'compacting')
  }

  private constructor(parts: ProgressParts, id: number, hadCompacted: boolean) {
    this.#parts = parts
    this.id = id
    this.#hadCompacted = hadCompacted
    this.#timer = setInterval(() => void this.see().catch(() => {}), BEAT_MS).unref()
  }

  /** By a timer, and by tests that control the clock. */
  see(): Promise<void> {
    const { stores, clock } = this.#parts
    return stores.transaction((tx) => tx.deletionRuns.see(this.id, clock.now()))
  }

  async enter(phase: RunPhase): Promise<void> {
    if (phase === this.#phase) return
    const { stores, clock } = this.#parts
    await stores.transaction((tx) => tx.deletionRuns.enter(this.id, phase, clock.now()))
    this.#phase = phase
  }

  /** `freed`: bytes that compacting gave back; null when there was nothing to compact. */
  async finish(freed: number | null): Promise<void> {
    const { stores, clock } = this.#parts
    const bytesFreed = freed ?? (this.#hadCompacted ? null : 0)
    await stores.transaction((tx) => tx.deletionRuns.finish(this.id, { at: clock.now(), bytesFreed }))
    this.#isFinished = true
  }

  /** In any case, at last. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#isFinished) return
    const { stores, clock } = this.#parts
    // The run says why it failed; that it is not under way is also seen by its silence.
    await stores.transaction((tx) => tx.deletionRuns.leave(this.id, clock.now())).catch(() => {})
  }
}
