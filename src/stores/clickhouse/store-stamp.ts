/** Which installation an event store belongs to and how far it has come. */
import { formatUuid } from '../../lib/ids.ts'
import type { StoreStamp } from '../../model/installation.ts'
import { highestSeq } from './applied-batches.ts'
import type { Parts } from './parts.ts'
import { RowWriter } from './values/row-binary.ts'

async function newestStamp({ servers }: Parts): Promise<(StoreStamp & { number: bigint }) | null> {
  const sql = 'SELECT number, lower(hex(id)), reached FROM installation ORDER BY number DESC LIMIT 1'
  const [row] = await servers.rows(sql)
  if (!row) return null
  const [number, id, reached] = row as [string, string, string]
  return { number: BigInt(number), id: formatUuid(id), reached: Number(reached) }
}

export async function readStamp(parts: Parts): Promise<StoreStamp | null> {
  const stamp = await newestStamp(parts)
  return stamp && { id: stamp.id, reached: Math.max(stamp.reached, await highestSeq(parts)) }
}

export async function writeStamp(parts: Parts, { id, reached }: StoreStamp): Promise<void> {
  const before = await newestStamp(parts)
  const out = new RowWriter()
  out.uint8(0)
  out.uint64((before?.number ?? 0n) + 1n)
  out.uuid(id)
  out.int64(BigInt(reached))
  await parts.servers.insert('installation', ['one', 'number', 'id', 'reached'], out.bytes())
}
