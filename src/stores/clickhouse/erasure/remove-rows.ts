/**
 * Removes rows permanently. The engine does so in the background, on each node by itself, by writing the parts that have
 * them anew; what is stored meanwhile is not looked at, so it is counted afterwards whether anything is left. Of a shard with
 * replicas one is told, and all have to be there: each must have all rows before, none after.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { exponentialBackoff } from '../../../lib/concurrency/backoff.ts'
import { MINUTE, SECOND } from '../../../lib/time/time.ts'
import type { Servers } from '../server/client.ts'
import { localTable, type TableName } from '../tables.ts'
import { isOneOf, text } from '../values/literal.ts'

export interface Removal {
  table: TableName
  /** SQL of a condition on its rows, of which each node can tell by itself. */
  where: string
}

const pauseBefore = exponentialBackoff({ first: 20, factor: 1.5, max: 2 * SECOND })
/** The engine tries again by itself what failed. */
const FAILING_AT_MOST = 2 * MINUTE
const MAX_ROUNDS = 5

async function countRows(servers: Servers, { table, where }: Removal): Promise<number> {
  if (servers.replicas.hasAny) {
    const found = await servers.rowsOfEach(`SELECT count() FROM ${localTable(servers, table)} WHERE ${where}`)
    return servers.replicas.sumOfShards(found.map(([rows]) => Number(rows)))
  }
  const [[rows] = []] = await servers.rows(`SELECT count() FROM ${table} WHERE ${where}`)
  return Number(rows ?? 0)
}

/** SQL of why a change of rows failed last; older servers do not say. */
async function failureSql(servers: Servers): Promise<string> {
  const sql = `SELECT count() FROM system.columns
    WHERE database = 'system' AND table = 'mutations' AND name = 'latest_fail_reason'`
  const found = await servers.rowsOfEach(sql)
  return found.every(([columns]) => Number(columns) > 0) ? 'latest_fail_reason' : `''`
}

/** Resolves when the nodes have no removal from these tables, and no change of their rows, left to do, whoever asked for it. */
export async function mutationsDone(servers: Servers, tables: TableName[]): Promise<void> {
  const names = tables.map((table) => localTable(servers, table))
  await servers.replicas.knowMutations(names)
  const sql = `SELECT table, ${await failureSql(servers)} FROM system.mutations
    WHERE database = currentDatabase() AND ${isOneOf('table', names, text)} AND is_done = 0`
  let failingFor = 0
  for (let round = 1; ; round++) {
    const open = (await servers.rowsOfEach(sql)) as [string, string][]
    if (open.length === 0) return
    const failed = open.find(([, reason]) => reason !== '')
    if (failed && failingFor >= FAILING_AT_MOST)
      throw new Error(`ClickHouse cannot change rows of ${failed[0]} (see system.mutations): ${failed[1]}`)
    const wait = pauseBefore(round)
    failingFor = failed ? failingFor + wait : 0
    await pause(wait)
  }
}

/** Returns how many rows were there, of each. */
export async function removeRows(servers: Servers, removals: Removal[]): Promise<number[]> {
  const removed = removals.map(() => 0)
  const views = removals.map(({ table }) => table)
  for (let round = 1; ; round++) {
    await servers.replicas.allHaveSame(views)
    const left: Removal[] = []
    for (const [place, removal] of removals.entries()) {
      const rows = await countRows(servers, removal)
      if (rows > 0) left.push(removal)
      removed[place] = (removed[place] ?? 0) + rows
    }
    if (left.length === 0) return removed
    if (round > MAX_ROUNDS) throw new Error('Rows that are being removed from ClickHouse keep being stored again.')
    for (const { table, where } of left)
      await servers.onEach(`ALTER TABLE ${localTable(servers, table)} DELETE WHERE ${where}`, 'shards')
    await mutationsDone(
      servers,
      left.map(({ table }) => table),
    )
  }
}
