/** The activity log: who did what to which object, and what it changed. */

export interface ActivityChange {
  type: string
  action: 'changed' | 'created' | 'deleted' | 'merged' | 'split' | 'exported'
  field: string | null
  /** The property's name, for changes of a person's properties. */
  key?: string
  before: unknown
  after: unknown
}

/** What caused it, where that was not the user's own idea. */
export interface ActivityTrigger {
  job_type: 'undo'
  /** The entry that was undone. */
  job_id: string
  payload: Record<string, never>
}

export interface ActivityDetail {
  changes: ActivityChange[] | null
  trigger: ActivityTrigger | null
  name: string | null
  short_id: string | null
  type: string | null
}

export interface Activity {
  id: string
  projectId: number | null
  organizationId: string | null
  /** Null: the system itself. */
  userId: number | null
  scope: string
  itemId: string | null
  activity: string
  detail: ActivityDetail
  createdAt: number
  /**
   * Whether what undoing it needs is kept (persons/undo.ts), or it was undone, or that was erased with a person. Null:
   * nothing was ever kept.
   */
  undo: 'kept' | 'done' | 'erased' | null
}

export interface ActivityFilter {
  projectId: number
  /** Entries of this organisation as a whole (its keys and projects) count too. */
  organizationId?: string
  scope?: string
  itemId?: string
  /** Who did it. */
  user?: { id: number } | { uuid: string }
}

/** Keyset position: newest first, by (createdAt, id). */
type ActivityCursor = Pick<Activity, 'createdAt' | 'id'>

export interface ActivityReader {
  /** Of any project or organisation. */
  find(id: string): Promise<Activity | null>
  /** Newest first, with the total of all pages; at most PAGE_BYTES. */
  page(filter: ActivityFilter, page: { limit: number; offset: number }): Promise<{ total: number; items: Activity[] }>
  /** Entries after `after` in the order of page, at most `limit`, none at the end; for reading everything page by page. */
  pageAfter(filter: ActivityFilter, after: ActivityCursor | null, limit: number): Promise<Activity[]>
}

interface ActivityItem {
  projectId: number
  scope: string
  itemId: string
}

/** What an entry says from now on; rules/activity/erased-entry.ts has those in use. */
export type RewriteDetail = (detail: ActivityDetail) => ActivityDetail

export interface ActivityWriter extends ActivityReader {
  add(activity: Activity): Promise<void>
  /** Every entry of one object. */
  rewriteItem(item: ActivityItem, rewrite: RewriteDetail): Promise<void>
  /**
   * Those of the splits and merges of all persons of the project that list one of these distinct ids. Ids leave a
   * person only by a split, which lists them, and a merge takes the log along: a person without such a split is not
   * looked at.
   */
  rewriteSplits(projectId: number, distinctIds: string[], rewrite: RewriteDetail): Promise<void>
}
