/** Removes events by their age, and projects. */
import { renewVersions } from '../data-versions.ts'
import type { Parts } from '../parts.ts'
import { dayOf } from '../rows/event-rows.ts'
import { PROJECT_TABLES } from '../tables.ts'
import { instant, int } from '../values/literal.ts'
import { removeRows } from './remove-rows.ts'

export async function removeBefore({ servers }: Parts, projectId: number, before: number): Promise<number> {
  const where = `project_id = ${int(projectId)} AND ts < ${instant(before)}`
  const days = Number.isFinite(before) ? ` AND day <= ${int(dayOf(before))}` : ''
  const removed = await removeRows(servers, [
    { table: 'events', where: where + days },
    { table: 'moments', where },
  ])
  if (removed.some((rows) => rows > 0)) await renewVersions(servers, [projectId])
  return removed[0] ?? 0
}

export async function removeProject({ servers }: Parts, projectId: number): Promise<void> {
  const where = `project_id = ${int(projectId)}`
  const removed = await removeRows(
    servers,
    PROJECT_TABLES.map((table) => ({ table, where })),
  )
  if (removed.some((rows) => rows > 0)) await renewVersions(servers, [projectId])
}
