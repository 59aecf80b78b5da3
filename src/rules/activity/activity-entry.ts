/** Makes and adds entries of the activity log. */
import { uuidV7 } from '../../lib/ids.ts'
import type { Activity, ActivityChange, ActivityTrigger } from '../../model/accounts/activity.ts'
import type { Actor, Caller } from '../../model/accounts/caller.ts'
import type { SqlWriters } from '../../model/stores.ts'
import type { PropertyDifference } from '../persons/identity.ts'

export interface EntryInput {
  projectId: number | null
  organizationId?: string | null
  /** Null: the system itself. */
  caller: Caller | null
  scope: string
  itemId: string | null
  activity: string
  name: string | null
  /** Of an insight. */
  shortId?: string
  changes: ActivityChange[] | null
  /** The entry that is undone by it. */
  undoes?: string
}

const triggerOf = ({ undoes }: EntryInput): ActivityTrigger | null =>
  undoes === undefined ? null : { job_type: 'undo', job_id: undoes, payload: {} }

export function activityEntry(input: EntryInput, now: number): Activity {
  return {
    id: uuidV7(now),
    projectId: input.projectId,
    organizationId: input.organizationId ?? null,
    userId: input.caller?.user.id ?? null,
    scope: input.scope,
    itemId: input.itemId,
    activity: input.activity,
    detail: {
      changes: input.changes,
      trigger: triggerOf(input),
      name: input.name,
      short_id: input.shortId ?? null,
      type: null,
    },
    createdAt: now,
    undo: null,
  }
}

/** What somebody did in a project; returns the id of the entry. */
export async function addActivity(
  tx: Pick<SqlWriters, 'activity'>,
  { project, caller }: Actor,
  entry: Omit<EntryInput, 'projectId' | 'organizationId' | 'caller'>,
  now: number,
): Promise<string> {
  const made = activityEntry({ projectId: project.id, caller, ...entry }, now)
  await tx.activity.add(made)
  return made.id
}

const actionOf = ({ before, after }: PropertyDifference): ActivityChange['action'] => {
  if (before === undefined) return 'created'
  return after === undefined ? 'deleted' : 'changed'
}

/** One change per property key, with its values before and after. */
export const propertyChanges = (differences: PropertyDifference[]): ActivityChange[] =>
  differences.map((difference) => ({
    type: 'Person',
    action: actionOf(difference),
    field: 'properties',
    key: difference.key,
    before: difference.before ?? null,
    after: difference.after ?? null,
  }))
