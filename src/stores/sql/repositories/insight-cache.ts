/** Computed results in SQL. */
import type { CachedResult, InsightCacheReader, InsightCacheWriter } from '../../../model/insights/insight-cache.ts'
import type { Connection } from '../connection.ts'

export const insightCacheReader = ({ db, dialect }: Connection): InsightCacheReader => ({
  async erasures(projectId) {
    const row = await db
      .selectFrom('projects')
      .select('erasures')
      .where('id', '=', projectId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    return row?.erasures ?? null
  },
  async find(projectId, keys, maxBytes) {
    if (keys.length === 0) return []
    const rows = await db
      .selectFrom('insight_results')
      .select(['key', 'state', 'result', 'computed_at'])
      .where('project_id', '=', projectId)
      .where('key', 'in', dialect.texts(keys))
      .where('bytes', '<=', maxBytes)
      .execute()
    return rows.map(
      (row): CachedResult => ({
        projectId,
        key: row.key,
        state: row.state,
        result: JSON.parse(row.result),
        computedAt: row.computed_at,
      }),
    )
  },
})

export function insightCacheWriter(connection: Connection): InsightCacheWriter {
  const { db } = connection
  const reader = insightCacheReader(connection)
  return {
    ...reader,
    async save({ projectId, key, state, result, computedAt }, erasures) {
      if (erasures === null || (await reader.erasures(projectId)) !== erasures) return false
      const text = JSON.stringify(result)
      const fields = { state, result: text, bytes: Buffer.byteLength(text), computed_at: computedAt }
      await db
        .insertInto('insight_results')
        .values({ project_id: projectId, key, ...fields })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'key'])
            .doUpdateSet(fields)
            .where('insight_results.computed_at', '<=', computedAt),
        )
        .execute()
      return true
    },
    async clear(projectId) {
      await db
        .updateTable('projects')
        .set((eb) => ({ erasures: eb('erasures', '+', 1) }))
        .where('id', '=', projectId)
        .execute()
      await db.deleteFrom('insight_results').where('project_id', '=', projectId).execute()
    },
    async prune(projectId, before, prepared) {
      const own = db.deleteFrom('insight_results').where('project_id', '=', projectId)
      await own.where('computed_at', '<', before).execute()
      const surplus = await db
        .selectFrom('insight_results')
        .select('key')
        .where('project_id', '=', projectId)
        .orderBy('computed_at', 'desc')
        .orderBy('key')
        .limit(SURPLUS_AT_ONCE)
        .offset(prepared)
        .execute()
      for (const { key } of surplus) await own.where('key', '=', key).execute()
    },
  }
}

/** Each save prunes, so there is hardly ever more than one. */
const SURPLUS_AT_ONCE = 100
