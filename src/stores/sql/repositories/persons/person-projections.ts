/** Persons as the event store's projection of them needs them: by id, with everything that is known of each. */
import { chunks } from '../../../../lib/lists/lists.ts'
import type { PersonWriter } from '../../../../model/persons/person.ts'
import { AT_ONCE, type Connection } from '../../connection.ts'

export const personProjections = ({ db }: Connection): Pick<PersonWriter, 'projections'> => ({
  async projections(personIds) {
    const found: Awaited<ReturnType<PersonWriter['projections']>> = { persons: [], distinctIds: [] }
    for (const ids of chunks(personIds, AT_ONCE)) {
      for (const row of await db.selectFrom('persons').selectAll().where('id', 'in', ids).orderBy('id').execute()) {
        found.persons.push({
          projectId: row.project_id,
          personId: row.id,
          uuid: row.uuid,
          properties: row.properties,
          createdAt: row.created_at,
          updatedAt: row.updated_at,
          lastSeenAt: row.last_seen_at,
          isIdentified: row.is_identified === 1,
          deleted: false,
        })
      }
      const owned = db.selectFrom('distinct_ids').select(['project_id', 'distinct_id', 'person_id'])
      for (const row of await owned.where('person_id', 'in', ids).orderBy('id').execute()) {
        found.distinctIds.push({ projectId: row.project_id, distinctId: row.distinct_id, personId: row.person_id })
      }
    }
    return found
  },
})
