/** What is kept to undo entries of the activity log, in SQL. */
import { chunks } from '../../../../lib/lists/lists.ts'
import type { Belongings, UndoWriter } from '../../../../model/persons/undo.ts'
import { AT_ONCE, type Connection } from '../../connection.ts'

type Erasing = Pick<UndoWriter, 'keep' | 'find' | 'markUndone' | 'erase'>

function keeping({ db }: Connection): Erasing {
  const remove = async (activityIds: string[]): Promise<void> => {
    for (const table of ['kept_undo_ids', 'kept_undos'] as const) {
      await db.deleteFrom(table).where('activity_id', 'in', activityIds).execute()
    }
  }
  const erase = async (activityIds: string[]): Promise<void> => {
    for (const some of chunks(activityIds, AT_ONCE)) {
      await remove(some)
      await db.updateTable('activity').set({ undo: 'erased' }).where('id', 'in', some).execute()
    }
  }
  return {
    async keep({ activityId, projectId, personId }, kept, distinctIds) {
      await db
        .insertInto('kept_undos')
        .values({ activity_id: activityId, project_id: projectId, person_id: personId, kept: JSON.stringify(kept) })
        .execute()
      for (const some of chunks(distinctIds, AT_ONCE)) {
        const rows = some.map((distinct_id) => ({ project_id: projectId, distinct_id, activity_id: activityId }))
        await db.insertInto('kept_undo_ids').values(rows).execute()
      }
      await db.updateTable('activity').set({ undo: 'kept' }).where('id', '=', activityId).execute()
    },
    async find(activityId) {
      const own = db.selectFrom('kept_undos').select(['person_id', 'kept']).where('activity_id', '=', activityId)
      const row = await own.executeTakeFirst()
      return row ? { personId: row.person_id, kept: JSON.parse(row.kept) } : null
    },
    async markUndone(activityId) {
      const marked = await db
        .updateTable('activity')
        .set({ undo: 'done' })
        .where('id', '=', activityId)
        .where((eb) => eb.or([eb('undo', 'is', null), eb('undo', '!=', 'done')]))
        .returning('id')
        .execute()
      await remove([activityId])
      return marked.length > 0
    },
    async erase(projectId, personIds, distinctIds) {
      for (const some of chunks(personIds, AT_ONCE)) {
        const entries = await db
          .selectFrom('activity')
          .select('id')
          .where('project_id', '=', projectId)
          .where('scope', '=', 'Person')
          .where('item_id', 'in', some.map(String))
          .where('undo', '=', 'kept')
          .execute()
        await erase(entries.map(({ id }) => id))
      }
      for (const some of chunks(distinctIds, AT_ONCE)) {
        const rows = await db
          .selectFrom('kept_undo_ids')
          .select('activity_id')
          .distinct()
          .where('project_id', '=', projectId)
          .where('distinct_id', 'in', some)
          .execute()
        await erase(rows.map((row) => row.activity_id))
      }
    },
  }
}

type Merges = Pick<UndoWriter, 'mergesInto' | 'replace'>

const merges = ({ db }: Connection): Merges => ({
  async mergesInto(projectId, personId) {
    const rows = await db
      .selectFrom('activity')
      .innerJoin('kept_undos', 'kept_undos.activity_id', 'activity.id')
      .select('activity.id')
      .where('activity.project_id', '=', projectId)
      .where('activity.scope', '=', 'Person')
      .where('activity.item_id', '=', String(personId))
      .where('activity.activity', '=', 'people_merged_into')
      .where('kept_undos.person_id', '=', personId)
      .orderBy('activity.created_at')
      .orderBy('activity.id')
      .execute()
    return rows.map(({ id }) => id)
  },
  async replace(activityId, kept) {
    const own = db.updateTable('kept_undos').where('activity_id', '=', activityId)
    await own.set({ kept: JSON.stringify(kept) }).execute()
  },
})

type Moving = Pick<UndoWriter, 'belongings' | 'giveBack'>

const moving = ({ db }: Connection): Moving => ({
  async belongings(projectId, personId, limit) {
    const history = db.selectFrom('property_history').select('id').where('person_id', '=', personId)
    const recordings = db
      .selectFrom('recordings')
      .select('session_id')
      .where('project_id', '=', projectId)
      .where('person_id', '=', personId)
    const entries = db
      .selectFrom('activity')
      .select('id')
      .where('project_id', '=', projectId)
      .where('scope', '=', 'Person')
      .where('item_id', '=', String(personId))
    const beyond = limit + 1
    const found: Belongings = {
      history: (await history.limit(beyond).execute()).map(({ id }) => id),
      recordings: (await recordings.limit(beyond).execute()).map((row) => row.session_id),
      entries: (await entries.limit(beyond).execute()).map(({ id }) => id),
    }
    return Object.values(found).some((rows) => rows.length > limit) ? null : found
  },
  async giveBack(projectId, { from, to, was }, { history, recordings, entries }) {
    for (const some of chunks(history, AT_ONCE)) {
      const rows = db.updateTable('property_history').set({ person_id: to }).where('person_id', '=', from)
      await rows.where('id', 'in', some).execute()
    }
    for (const some of chunks(recordings, AT_ONCE)) {
      const rows = db.updateTable('recordings').set({ person_id: to }).where('project_id', '=', projectId)
      await rows.where('session_id', 'in', some).where('person_id', '=', from).execute()
    }
    for (const some of chunks(entries, AT_ONCE)) {
      const rows = db
        .updateTable('activity')
        .set({ item_id: String(to) })
        .where('project_id', '=', projectId)
      await rows.where('id', 'in', some).where('item_id', '=', String(from)).execute()
      const kept = db.updateTable('kept_undos').set({ person_id: to }).where('person_id', '=', was)
      await kept.where('activity_id', 'in', some).execute()
    }
  },
})

export const undoWriter = (connection: Connection): UndoWriter => ({
  ...keeping(connection),
  ...merges(connection),
  ...moving(connection),
})
