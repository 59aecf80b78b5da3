/** `hedgerow outbox list|retry`: batches that the event store refuses. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { formatInstant } from '../lib/time/time.ts'
import type { SqlStores } from '../model/stores.ts'
import { onlyArgument } from './arguments.ts'
import { JSON_OPTION, type ListShape, printList } from './print-list.ts'
import { withSql } from './with-sql.ts'

/** More than a screen, and little memory. */
const SHOWN = 1_000
/** Batches retried per transaction: each may have megabytes. */
const RETRIED_AT_ONCE = 20

type Parked = Awaited<ReturnType<SqlStores['outbox']['parked']>>['items'][number]

const SHAPE: ListShape<Parked> = {
  columns: {
    ID: (batch) => batch.id,
    PROJECT: (batch) => String(batch.projectId ?? ''),
    EVENTS: (batch) => String(batch.events),
    CHANGES: (batch) => String(batch.changes),
    CREATED: (batch) => formatInstant(batch.createdAt),
    PARKED: (batch) => formatInstant(batch.parkedAt),
    ERROR: (batch) => batch.error.replaceAll(/\s+/g, ' '),
  },
  fields: ({ id, projectId, events, changes, createdAt, parkedAt, error }) => ({
    id,
    project: projectId,
    events,
    changes,
    created_at: formatInstant(createdAt),
    parked_at: formatInstant(parkedAt),
    error,
  }),
  empty: 'No batch is parked.',
}

async function list(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: JSON_OPTION })
  await withSql(config, async (stores) => {
    printList(await stores.outbox.parked({ limit: SHOWN, offset: 0 }), SHAPE, values.json)
  })
}

async function retryIds({ transaction }: SqlStores, ids: string[], now: number): Promise<number> {
  let retried = 0
  for (let start = 0; start < ids.length; start += RETRIED_AT_ONCE) {
    retried += await transaction(async (tx) => {
      let count = 0
      for (const id of ids.slice(start, start + RETRIED_AT_ONCE)) if (await tx.outbox.unpark(id, now)) count += 1
      return count
    })
  }
  return retried
}

async function parkedIds({ outbox }: SqlStores): Promise<string[]> {
  const count = await outbox.parkedCount()
  return (await outbox.parked({ limit: count, offset: 0 })).items.map((batch) => batch.id)
}

async function retry(args: string[], config: Config): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { all: { type: 'boolean' } }, allowPositionals: true })
  const needs = 'outbox retry needs the id of a batch, or --all.'
  if (values.all && positionals.length > 0) throw new OperatorError(needs)
  const id = values.all ? undefined : onlyArgument(positionals, needs)
  await withSql(config, async (stores, now) => {
    const retried = await retryIds(stores, id === undefined ? await parkedIds(stores) : [id], now)
    if (id !== undefined && retried === 0) {
      throw new OperatorError(`There is no parked batch ${id}. "hedgerow outbox list" shows them.`)
    }
    process.stdout.write(`${retried} to be tried again.\n`)
  })
}

const ACTIONS = { list, retry }

export async function outbox([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError('Say "outbox list" or "outbox retry".')
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
