/** Which entries of the activity log may be asked to be undone. Whether something stands in the way is found out then. */
import type { Activity } from '../../model/accounts/activity.ts'

/** A change of a person's properties through the API: its entry has all that undoing needs. */
export const isPropertyEdit = ({ scope, activity, detail: { changes } }: Activity): boolean =>
  scope === 'Person' &&
  (activity === 'updated' || activity === 'delete_property') &&
  changes !== null &&
  changes.length > 0 &&
  changes.every(({ field, key }) => field === 'properties' && key !== undefined)

/** Once, and not what undid another. */
export const canUndo = (entry: Activity): boolean =>
  entry.detail.trigger === null && (entry.undo === 'kept' || (entry.undo === null && isPropertyEdit(entry)))
