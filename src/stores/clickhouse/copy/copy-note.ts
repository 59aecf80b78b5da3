/** What is noted while a store is filled: a table that is there only meanwhile. */
import { makeTables } from '../schema.ts'
import type { Servers } from '../server/client.ts'
import { RowWriter } from '../values/row-binary.ts'

const NAME = 'copy_progress'

const TABLE = {
  columns: 'one UInt8, number UInt64, note String',
  engine: 'ReplacingMergeTree(number)',
  order: 'one',
  shard: 'one',
} as const

const existing = async (servers: Servers): Promise<boolean> => {
  const found = await servers.rowsOfEach(`EXISTS TABLE ${NAME}`)
  return found.every(([exists]) => Number(exists) === 1)
}

async function newest(servers: Servers): Promise<{ number: bigint; note: string } | null> {
  const [row] = await servers.rows(`SELECT number, note FROM ${NAME} ORDER BY number DESC LIMIT 1`)
  return row ? { number: BigInt(row[0] as string), note: row[1] as string } : null
}

export const readNote = async (servers: Servers): Promise<string | null> =>
  (await existing(servers)) ? ((await newest(servers))?.note ?? null) : null

export async function writeNote(servers: Servers, note: string): Promise<void> {
  if (!(await existing(servers))) await makeTables(servers, { [NAME]: TABLE })
  const out = new RowWriter()
  out.uint8(0)
  out.uint64(((await newest(servers))?.number ?? 0n) + 1n)
  out.text(note)
  await servers.insert(NAME, ['one', 'number', 'note'], out.bytes())
}

export async function dropNote(servers: Servers): Promise<void> {
  await servers.onEach(`DROP TABLE IF EXISTS ${NAME}`)
  await servers.onEach(`DROP TABLE IF EXISTS ${NAME}_local`)
}
