/**
 * Which batches are stored completely: what is recorded last. A batch that comes again is left out by it, also after some
 * of its events were removed.
 */
import { uuidHex } from '../../lib/ids.ts'
import { HOUR } from '../../lib/time/time.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import type { Parts } from './parts.ts'
import type { Servers, Storing } from './server/client.ts'
import { localTable } from './tables.ts'
import { int, isOneOf, uuid } from './values/literal.ts'
import { RowWriter } from './values/row-binary.ts'

const hourOf = (instant: number): number => Math.floor(instant / HOUR)

/** Each of these once, without those that are stored, by themselves or with the batch that they are a part of. */
export async function withoutApplied(servers: Servers, batches: OutboxBatch[]): Promise<OutboxBatch[]> {
  const all = [...new Map(batches.map((batch) => [batch.id, batch])).values()]
  // Of one that was claimed the rows are looked for: a server that was killed may have lost some of them.
  const asked = all.filter(({ claim }) => !claim)
  if (asked.length === 0) return all
  const ids = new Set(asked.flatMap(({ id, partOf }) => (partOf === undefined ? [id] : [id, partOf])))
  const found = await servers.rows(`SELECT lower(hex(id)) FROM applied WHERE ${isOneOf('id', [...ids], uuid)}`)
  const stored = new Set(found.map(([id]) => id as string))
  return all.filter(({ id, partOf = id }) => !stored.has(uuidHex(id)) && !stored.has(uuidHex(partOf)))
}

export async function noteApplied(servers: Storing, batches: OutboxBatch[], now: number): Promise<void> {
  const out = new RowWriter()
  for (const { id, seq } of batches) {
    out.int32(hourOf(now))
    out.uuid(id)
    out.int64(BigInt(seq))
  }
  await servers.insert('applied', ['hour', 'id', 'seq'], out.bytes())
}

/** The highest `seq` of all batches that were applied. */
export async function highestSeq({ servers }: Parts): Promise<number> {
  const highest = (table: string) => `SELECT max(seq) AS seq FROM ${table}`
  const [[seq] = []] = await servers.rows(
    `SELECT max(seq) FROM (${highest('applied')} UNION ALL ${highest('reached')})`,
  )
  return Number(seq ?? 0)
}

/** Whole hours of them. */
export async function forgetBatches(parts: Parts, appliedBefore: number): Promise<void> {
  const { servers } = parts
  const table = localTable(servers, 'applied')
  const found = await servers.rowsOfEach(
    `SELECT hour FROM ${table} WHERE hour < ${int(hourOf(appliedBefore))} GROUP BY hour`,
    'shards',
  )
  const hours = new Set(found.map(([hour]) => Number(hour)))
  if (hours.size === 0) return
  const out = new RowWriter()
  out.uint8(0)
  out.int64(BigInt(await highestSeq(parts)))
  await servers.insert('reached', ['one', 'seq'], out.bytes())
  for (const hour of hours) await servers.onEach(`ALTER TABLE ${table} DROP PARTITION ${int(hour)}`, 'shards')
}
