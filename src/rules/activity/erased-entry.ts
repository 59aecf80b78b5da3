/** What stays of entries of the activity log whose person was erased. */
import type { ActivityDetail, RewriteDetail } from '../../model/accounts/activity.ts'

/** Of an entry about the person itself: the fact and the shape, no value, key or name. */
export function erasedDetail(detail: ActivityDetail): ActivityDetail {
  const changes = detail.changes?.map(({ type, action, field }) => ({ type, action, field, before: null, after: null }))
  return { ...detail, name: null, changes: changes ?? null }
}

/** Of a split or a merge of another person: all but these ids in its lists. */
export function withoutDistinctIds(distinctIds: string[]): RewriteDetail {
  const gone = new Set<unknown>(distinctIds)
  const rest = (value: unknown) => (Array.isArray(value) ? value.filter((id) => !gone.has(id)) : value)
  return (detail) => {
    const changes = detail.changes?.map((change) => {
      const lists = Object.entries((change.after ?? {}) as object).map(([name, value]) => [name, rest(value)])
      return { ...change, after: change.after && Object.fromEntries(lists) }
    })
    return { ...detail, changes: changes ?? null }
  }
}
