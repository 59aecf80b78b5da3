/** A text for each project that changes with every change of its data, and never becomes what it was before. */
import { randomBytes } from 'node:crypto'
import type { Parts } from './parts.ts'
import type { Storing } from './server/client.ts'
import { int } from './values/literal.ts'
import { RowWriter } from './values/row-binary.ts'

const MARK_BYTES = 8

/** After a change of what is stored of these projects. */
export async function renewVersions(servers: Storing, projects: Iterable<number>): Promise<void> {
  const out = new RowWriter()
  for (const project of new Set(projects)) {
    out.uint32(project)
    out.uint64(1n)
    out.uint64(randomBytes(MARK_BYTES).readBigUInt64LE())
  }
  if (out.length > 0) await servers.insert('data_versions', ['project_id', 'changes', 'mark'], out.bytes())
}

/** A few rows are read, however much data there is. */
export async function versionOf({ servers }: Parts, projectId: number): Promise<string> {
  const sql = `SELECT sum(changes), sum(mark) FROM data_versions WHERE project_id = ${int(projectId)}`
  const [[changes, mark] = []] = await servers.rows(sql)
  return `${changes}:${mark}`
}
