/** What the tables of the store take on the disks of its servers. */
import type { Servers } from './client.ts'

/** Of all nodes that can be reached, copies on replicas included. */
export async function bytesOnDisk(servers: Servers): Promise<number> {
  const sql = 'SELECT sum(bytes_on_disk) FROM system.parts WHERE database = currentDatabase() AND active'
  const rows = await servers.rowsOfEach(sql, 'reachable')
  return rows.reduce((sum, [bytes]) => sum + Number(bytes), 0)
}
