/** `hedgerow jobs list|retry`: jobs that are parked. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { readId } from '../lib/ids.ts'
import { formatInstant } from '../lib/time/time.ts'
import type { ParkedJob } from '../model/job.ts'
import type { SqlStores } from '../model/stores.ts'
import { onlyArgument } from './arguments.ts'
import { JSON_OPTION, type ListShape, printList } from './print-list.ts'
import { withSql } from './with-sql.ts'

/** More than a screen, and little memory. */
const SHOWN = 1_000

const SHAPE: ListShape<ParkedJob> = {
  columns: {
    ID: (job) => String(job.id),
    KIND: (job) => job.kind,
    KEY: (job) => job.key,
    PROJECT: (job) => String(job.projectId ?? ''),
    ATTEMPTS: (job) => String(job.attempts),
    PARKED: (job) => formatInstant(job.parkedAt),
    ERROR: (job) => (job.error ?? '').replaceAll(/\s+/g, ' '),
  },
  fields: ({ id, kind, key, projectId, attempts, parkedAt, error }) => ({
    id,
    kind,
    key,
    project: projectId,
    attempts,
    parked_at: formatInstant(parkedAt),
    error,
  }),
  empty: 'No job is parked.',
}

async function list(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: JSON_OPTION })
  await withSql(config, async (stores) => {
    printList(await stores.jobs.parked({ limit: SHOWN, offset: 0 }), SHAPE, values.json)
  })
}

async function parkedIds({ jobs }: SqlStores): Promise<number[]> {
  const { count } = await jobs.parked({ limit: 1, offset: 0 })
  return (await jobs.parked({ limit: count, offset: 0 })).items.map((job) => job.id)
}

async function retry(args: string[], config: Config): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { all: { type: 'boolean' } }, allowPositionals: true })
  const needs = 'jobs retry needs the id of a job, or --all.'
  if (values.all && positionals.length > 0) throw new OperatorError(needs)
  const id = values.all ? undefined : onlyArgument(positionals, needs)
  await withSql(config, async (stores, now) => {
    const ids = id === undefined ? await parkedIds(stores) : [readId(id)]
    const retried = await stores.transaction(async (tx) => {
      let count = 0
      for (const one of ids) if (await tx.jobs.unpark(one, now)) count += 1
      return count
    })
    if (id !== undefined && retried === 0) {
      throw new OperatorError(`There is no parked job ${id}. "hedgerow jobs list" shows them.`)
    }
    process.stdout.write(`${retried} to be tried again.\n`)
  })
}

const ACTIONS = { list, retry }

export async function jobs([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError('Say "jobs list" or "jobs retry".')
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
