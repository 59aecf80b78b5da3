/**
 * `hedgerow deletions run --project N`: runs event deletions now instead of on Sunday. A running
 * server has the event store open, so it gets a job; without one this process runs them itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { FolderInUse, OperatorError } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import { systemClock } from '../lib/time/clock.ts'
import { formatInstant, MINUTE, SECOND } from '../lib/time/time.ts'
import { RUN_DELETIONS } from '../model/job.ts'
import type { Deletion } from '../model/persons/deletion.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'
import { activityEntry } from '../rules/activity/activity-entry.ts'
import { withSql } from './with-sql.ts'

const POLL_EVERY = SECOND / 4
const MAX_WAIT = 10 * MINUTE
/** More than are requested in a week. */
const LISTED = 100_000

function readProject(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw new OperatorError('deletions run needs --project ID.')
  return Number(text)
}

const note = (tx: SqlWriters, projectId: number, count: number, now: number): Promise<void> => {
  const subject = { scope: 'Deletion', itemId: null, activity: 'run', name: `${count} requests`, changes: null }
  return tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, now))
}

/** Prints the result of these requests. */
async function report({ deletions }: SqlStores, projectId: number, asked: Deletion[]): Promise<void> {
  const ids = new Set(asked.map((deletion) => deletion.id))
  const filter = { projectId, status: 'completed' } as const
  const { items } = await deletions.list(filter, { limit: LISTED, offset: 0 })
  const done = items.filter((deletion) => ids.has(deletion.id))
  const sum = (of: (deletion: Deletion) => number | null) => done.reduce((all, one) => all + (of(one) ?? 0), 0)
  const events = sum((deletion) => deletion.eventsDeleted)
  const sessions = sum((deletion) => deletion.sessionsDeleted)
  process.stdout.write(`Carried out ${done.length} requests: ${events} events and ${sessions} sessions deleted.\n`)
}

async function runHere(config: Config, projectId: number): Promise<void> {
  const app = await createApp({ config, clock: systemClock, logger: createLogger(config) })
  try {
    await app.features.deletions.run({ projectId })
  } finally {
    await app.close()
  }
}

async function askServer(stores: SqlStores, projectId: number): Promise<void> {
  const now = systemClock.now()
  const since = systemClock.steady()
  const key = `project-${projectId}@${formatInstant(now)}`
  const payload = { projectId }
  await stores.transaction((tx) => tx.jobs.add({ kind: RUN_DELETIONS, key, projectId, payload, runAt: now }))
  process.stdout.write('The running server has been asked.\n')
  while (systemClock.steady() - since < MAX_WAIT) {
    await sleep(POLL_EVERY)
    const job = await stores.jobs.find(RUN_DELETIONS, key)
    if (job === null) return
    if ('parkedAt' in job) throw new OperatorError(`The server could not do it: ${job.error}`)
  }
  throw new OperatorError('It is not done yet. The server goes on; persons/deletion_status/ shows when it is.')
}

async function run(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: { project: { type: 'string' } } })
  const projectId = readProject(values.project)
  await withSql(config, async (stores, now) => {
    if (!(await stores.projects.find(projectId))) {
      throw new OperatorError(`There is no project ${projectId}. "hedgerow projects list" shows them.`)
    }
    const asked = await stores.deletions.pending({ projectId }, LISTED)
    if (asked.length === 0) {
      process.stdout.write(`No deletion is pending in project ${projectId}.\n`)
      return
    }
    await stores.transaction((tx) => note(tx, projectId, asked.length, now))
    try {
      await runHere(config, projectId)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      await askServer(stores, projectId)
    }
    await report(stores, projectId, asked)
  })
}

const ACTIONS = { run }

export async function deletions([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) throw new OperatorError('Say "deletions run".')
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
