/** `hedgerow jobs list|retry`: jobs that are parked. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { readId } from '../lib/ids.ts'
import { formatInstant } from '../lib/time/time.ts'
import type { SqlStores } from '../model/stores.ts'
import { onlyArgument } from './arguments.ts'
import { printTable, withSql } from './with-sql.ts'

/** More than a screen, and little memory. */
const SHOWN = 1_000

async function list(args: string[], config: Config): Promise<void> {
  parseArgs({ args, options: {} })
  await withSql(config, async (stores) => {
    const { count, items } = await stores.jobs.parked({ limit: SHOWN, offset: 0 })
    if (count === 0) {
      process.stdout.write('No job is parked.\n')
      return
    }
    const rows = items.map((job) => [
      String(job.id),
      job.kind,
      job.key,
      String(job.projectId ?? ''),
      String(job.attempts),
      formatInstant(job.parkedAt),
      (job.error ?? '').replaceAll(/\s+/g, ' '),
    ])
    printTable([['ID', 'KIND', 'KEY', 'PROJECT', 'ATTEMPTS', 'PARKED', 'ERROR'], ...rows])
    if (count > items.length) process.stdout.write(`and ${count - items.length} more\n`)
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
