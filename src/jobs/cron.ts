/** Runs recurring work in this process at its times (UTC). One run of an entry at a time; a failure is told and the next run comes all the same. */
import { Cron } from 'croner'

export interface Recurring {
  name: string
  /** Five fields, UTC. */
  cron: string
  run: () => Promise<void>
}

export interface Schedule {
  /** Lets no further run start and waits for those under way. */
  stop(): Promise<void>
}

export function startSchedule(entries: Recurring[], failed: (name: string, error: unknown) => void): Schedule {
  const underWay = new Set<Promise<void>>()
  const timers = entries.map(
    ({ name, cron, run }) =>
      new Cron(cron, { timezone: 'UTC', protect: true, unref: true }, () => {
        const running = run().catch((error: unknown) => failed(name, error))
        underWay.add(running)
        return running.finally(() => underWay.delete(running))
      }),
  )
  return {
    async stop() {
      for (const timer of timers) timer.stop()
      await Promise.all(underWay)
    },
  }
}
