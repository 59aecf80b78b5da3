/** Activity log entries for when an operator lets the server start although data is missing from its stores. */
import type { SqlWriters } from '../../model/stores.ts'
import { everyProject } from '../accounts/every-project.ts'
import { activityEntry } from './activity-entry.ts'

/** An entry for each loss in each project, because it is unknown whose data it was. */
export async function noteAcceptedLosses(tx: SqlWriters, losses: string[], now: number): Promise<void> {
  for await (const { id: projectId } of everyProject(tx.projects)) {
    for (const name of losses) {
      const subject = { scope: 'Project', itemId: String(projectId), activity: 'loss_accepted', name, changes: null }
      await tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, now))
    }
  }
}
