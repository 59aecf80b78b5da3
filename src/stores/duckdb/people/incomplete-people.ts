/** People of whom the projection lacks what an earlier version did not store: their own fields, or folded ids. */
import type { IncompletePerson } from '../../../model/persons/person-search.ts'
import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'
import { current, OWNERS, PEOPLE } from './current-people.ts'

const byId = (a: IncompletePerson, b: IncompletePerson): number => a.personId - b.personId

/** Where nothing is missing, no row group is read. */
export async function incompletePersons(
  { database }: Parts,
  after: number,
  limit: number,
): Promise<IncompletePerson[]> {
  const isLater = `row.person_id > ${int(after)}`
  const columns = 'row.project_id, row.person_id'
  const people = (where: string) =>
    current(PEOPLE, {
      projectId: null,
      columns: `${columns}, row.uuid, row.created_at`,
      where: `${isLater} AND ${where}`,
    })
  const owners = current(OWNERS, { projectId: null, columns, where: `${isLater} AND row.folded IS NULL` })
  const owning = `FROM (${people('true')}) SEMI JOIN (${owners}) USING (project_id, person_id)`
  // Each by itself: joining both before the first ones are taken would sort all of them.
  const found = new Map<number, IncompletePerson>()
  for (const rows of [people('row.updated_at IS NULL'), owning]) {
    const sql = `FROM (${rows}) ORDER BY person_id LIMIT ${int(limit)}`
    const read = await database.read((connection) => connection.runAndReadAll(sql))
    for (const [projectId, personId, uuid, createdAt] of read.getRows()) {
      const id = Number(personId)
      found.set(id, {
        projectId: projectId as number,
        personId: id,
        uuid: String(uuid),
        createdAt: createdAt as number,
      })
    }
  }
  return [...found.values()].sort(byId).slice(0, limit)
}
