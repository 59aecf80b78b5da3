/**
 * Filters and orders of recordings, as SQL. Values that the API shows rounded (seconds, the score) are compared in the
 * same rounded form; the arithmetic is that of features/recordings/activity-score.ts.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type {
  ConsoleLevel,
  RecordingCondition,
  RecordingConditions,
  RecordingFilter,
  RecordingMeasure,
  RecordingOrder,
} from '../../../../model/recordings/recording.ts'
import type { Connection } from '../../connection.ts'

type Condition = RawBuilder<SqlBool>

const duration = sql<number>`floor((end_at - start_at) / 1000.0)`
const active = sql<number>`floor(active_ms / 1000.0)`
const effort = sql<number>`(active_ms / 1000.0 + click_count + keypress_count + console_error_count)`
const presence = sql<number>`(mouse_activity_count + ${duration} + console_error_count + console_log_count + console_warn_count)`

const MEASURES: Record<RecordingMeasure, RawBuilder<number>> = {
  recording_duration: duration,
  active_seconds: active,
  inactive_seconds: sql`case when ${duration} > ${active} then ${duration} - ${active} else 0 end`,
  click_count: sql`click_count`,
  keypress_count: sql`keypress_count`,
  mouse_activity_count: sql`mouse_activity_count`,
  console_log_count: sql`console_log_count`,
  console_warn_count: sql`console_warn_count`,
  console_error_count: sql`console_error_count`,
  activity_score: sql`case when ${presence} = 0 then 0 else floor(10000.0 * ${effort} / ${presence} + 0.5) / 100.0 end`,
}

const LEVELS: Record<ConsoleLevel, RawBuilder<number>> = {
  info: MEASURES.console_log_count,
  warn: MEASURES.console_warn_count,
  error: MEASURES.console_error_count,
}

export const ORDERS: Record<RecordingOrder, RawBuilder<number>> = {
  ...MEASURES,
  start_time: sql`start_at`,
  recording_ttl: sql`expires_at`,
}

/** The person of a recording: the one it was assigned to, else the owner of its distinct id. */
export const ownerId = sql<number | null>`coalesce(recordings.person_id, (
  select distinct_ids.person_id from distinct_ids
  where distinct_ids.project_id = recordings.project_id and distinct_ids.distinct_id = recordings.distinct_id))`

/** The same for one person, written so that both indexes can be used. */
const belongsTo = (personId: number): Condition => sql`(recordings.person_id = ${personId} or (
  recordings.person_id is null and recordings.distinct_id in (
    select distinct_ids.distinct_id from distinct_ids where distinct_ids.person_id = ${personId})))`

/** Those of a person or of distinct ids, by their indexes. */
export const whoseSql = ({ dialect }: Connection, { distinctIds, personId }: RecordingFilter): Condition[] => [
  ...(distinctIds ? [sql<SqlBool>`recordings.distinct_id in ${dialect.texts(distinctIds)}`] : []),
  ...(personId === undefined ? [] : [belongsTo(personId)]),
]

export function conditionSql(connection: Connection, condition: RecordingCondition): Condition {
  if ('join' in condition) return groupSql(connection, condition)
  const { dialect } = connection
  if ('sessionIds' in condition) {
    return sql`lower(session_id) in ${dialect.texts(condition.sessionIds.map((id) => id.toLowerCase()))}`
  }
  if ('source' in condition) {
    const among = sql`snapshot_source in ${dialect.texts(condition.source)}`
    return condition.negated ? sql`not (${among})` : sql`${among}`
  }
  if ('consoleLevels' in condition) {
    const counted = condition.consoleLevels.map((level): Condition => sql`${LEVELS[level]} > 0`)
    return joined(counted, 'OR')
  }
  // The only raw SQL is an operator from our own constants.
  return sql`(${MEASURES[condition.measure]}) ${sql.raw(condition.comparison)} ${condition.value}`
}

export function joined(conditions: Condition[], join: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return join === 'AND' ? sql`1 = 1` : sql`1 = 0`
  return sql`(${sql.join(conditions, join === 'AND' ? sql` and ` : sql` or `)})`
}

const groupSql = (connection: Connection, { join, of }: RecordingConditions): Condition =>
  joined(
    of.map((condition) => conditionSql(connection, condition)),
    join,
  )

function notViewed(by: number | 'anyone'): Condition {
  const user = by === 'anyone' ? sql`` : sql`and recording_views.user_id = ${by}`
  return sql`not exists (select 1 from recording_views where recording_views.project_id = recordings.project_id
    and recording_views.session_id = recordings.session_id ${user})`
}

/** The same without their indexes, where another index is scanned. */
const whoseInPortions = ({ dialect }: Connection, { distinctIds, personId }: RecordingFilter): Condition[] => [
  ...(distinctIds
    ? [sql<SqlBool>`${dialect.unindexed(sql`recordings.distinct_id`)} in ${dialect.texts(distinctIds)}`]
    : []),
  ...(personId === undefined ? [] : [sql<SqlBool>`${ownerId} = ${personId}`]),
]

/** The conditions of the list, each by itself; `inPortions`: for a scan of the index by start. */
export function narrowings(connection: Connection, filter: RecordingFilter, inPortions: boolean): Condition[] {
  const { dialect } = connection
  const { startFrom, startTo, sessionIds, notViewedBy, conditions } = filter
  return [
    ...(startFrom === -Infinity ? [] : [sql<SqlBool>`start_at >= ${startFrom}`]),
    ...(startTo === Infinity ? [] : [sql<SqlBool>`start_at <= ${startTo}`]),
    ...(sessionIds ? [sql<SqlBool>`session_id in ${dialect.texts(sessionIds)}`] : []),
    ...(inPortions ? whoseInPortions(connection, filter) : whoseSql(connection, filter)),
    ...(notViewedBy === undefined ? [] : [notViewed(notViewedBy)]),
    ...(conditions.of.length === 0 ? [] : [groupSql(connection, conditions)]),
  ]
}

/** The ids in their given order; others come last. */
export function position(sessionIds: string[]): RawBuilder<number> {
  const places = sessionIds.map((id, place) => sql`when ${id} then ${sql.lit(place)}`)
  return sql`case session_id ${sql.join(places, sql` `)} else ${sql.lit(sessionIds.length)} end`
}
