/**
 * How many persons a project has, kept and not counted. Whatever adds or removes a person notes it, and the transaction
 * writes the sum as its last statement, so that on engines with several writers a counter is held for a moment only
 * (docs/decisions/0010-person-count.md).
 */
import { sql } from 'kysely'
import { arg, type Connection, prepared } from '../../connection.ts'

const addToSlot = prepared((db) =>
  db
    .insertInto('person_counts')
    .values({ project_id: arg<number>(0), slot: arg<number>(1), persons: arg<number>(2) })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'slot'])
        .doUpdateSet({ persons: sql<number>`person_counts.persons + excluded.persons` }),
    )
    .returning('persons'),
)
const sumOfSlots = prepared((db) =>
  db
    .selectFrom('person_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('persons'), sql<number>`0`).as('count'))
    .where('project_id', '=', arg<number>(0)),
)

export function addToCount({ addedPersons }: Connection, projectId: number, change: number): void {
  addedPersons.set(projectId, (addedPersons.get(projectId) ?? 0) + change)
}

/** Removes the row of a person, if there is one. */
export async function removePerson(connection: Connection, personId: number): Promise<void> {
  const { db } = connection
  const removed = await db.deleteFrom('persons').where('id', '=', personId).returning('project_id').execute()
  for (const { project_id } of removed) addToCount(connection, project_id, -1)
}

/** At the end of a transaction; in the order of projects, so that two never wait for each other. */
export async function saveCounts(connection: Connection): Promise<void> {
  const { addedPersons, dialect } = connection
  if (addedPersons.size === 0) return
  const slot = dialect.counterSlot()
  for (const [projectId, change] of [...addedPersons].sort(([a], [b]) => a - b)) {
    if (change !== 0) await addToSlot.run(connection, projectId, slot, change)
  }
}

/** What the transaction itself has added is among them. */
export async function personCount(connection: Connection, projectId: number): Promise<number> {
  const [row] = await sumOfSlots.run(connection, projectId)
  return (row?.count ?? 0) + (connection.addedPersons.get(projectId) ?? 0)
}
