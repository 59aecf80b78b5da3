/**
 * Nothing has to be rewritten: to remove rows, the engine writes their parts anew, and removes the old ones by itself some
 * minutes later, when the new ones are sure to be on the disk.
 */
import type { Compaction } from '../../../model/events/erasure.ts'
import type { Parts } from '../parts.ts'
import { PROJECT_TABLES } from '../tables.ts'
import { mutationsDone } from './remove-rows.ts'

export async function compact({ servers }: Parts): Promise<Compaction | null> {
  await mutationsDone(servers, [...PROJECT_TABLES])
  const rows = await servers.rowsOfEach(`SELECT sum(bytes_on_disk), sum(active * bytes_on_disk) FROM system.parts
    WHERE database = currentDatabase()`)
  const sum = (place: number) => rows.reduce((all, row) => all + Number(row[place]), 0)
  const [before, after] = [sum(0), sum(1)]
  return before === after ? null : { before, after }
}
