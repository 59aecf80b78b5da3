/** What is done now and then beside storing, by whichever process has stored enough. */
import { MANY_OVERRIDES, manyOverrides, settleOverrides } from './actors/settle-overrides.ts'
import type { Parts } from './parts.ts'
import { chooseColumns } from './properties/choose-columns.ts'
import { LONGER, LONGEST_PAUSE } from './upkeep-state.ts'

interface Stored {
  rows: number
  /** Ids that got an owner. */
  owners: number
  projects: Iterable<number>
}

async function lookAtKeys(parts: Parts): Promise<void> {
  const { upkeep } = parts
  const { projects } = upkeep
  upkeep.rows = 0
  upkeep.projects = new Set()
  upkeep.pause = Math.min(LONGER * upkeep.pause, LONGEST_PAUSE)
  await chooseColumns(parts, projects)
}

/**
 * What fails is not tried again before its next turn: batches do not depend on it. Nor is it tried while a replica is away,
 * without which nothing can be removed and no column added.
 */
export async function keepUp(parts: Parts, { rows, owners, projects }: Stored): Promise<void> {
  const { upkeep } = parts
  upkeep.rows += rows
  upkeep.owners += owners
  for (const project of projects) upkeep.projects.add(project)
  const isSettling = upkeep.owners >= MANY_OVERRIDES
  const isLooking = upkeep.rows >= upkeep.pause
  if (!isSettling && !isLooking) return
  if (!(await parts.servers.replicas.areAllThere())) {
    if (isSettling) upkeep.owners = 0
    if (isLooking) upkeep.rows = 0
    return
  }
  if (isSettling) {
    upkeep.owners = 0
    await settleOverrides(parts.servers, await manyOverrides(parts.servers))
  }
  if (isLooking) await lookAtKeys(parts)
}
