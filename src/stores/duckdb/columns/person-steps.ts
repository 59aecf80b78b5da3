/** What the background pass does with the columns of people's properties. */
import type { Parts } from '../progress.ts'
import { lacksSome, type PersonColumn, writePersonColumns } from '../properties/person-columns.ts'
import { nameOf } from '../properties/property-columns.ts'
import { addEach } from './add-columns.ts'
import { choosePersonColumns } from './choose-person-columns.ts'
import { fillPersonColumns } from './fill-person-columns.ts'

/** Again when so large a part of the rows is new. */
const LOOK_AGAIN = 0.25

export const lookIsDue = ({ progress, personProperties, limits }: Parts): boolean =>
  progress.unseenPersons >= Math.max(limits.lookPersons, personProperties.looked * LOOK_AGAIN)

/** A set without a column is another one, too: a reader that knows the column does not take rows of it from there. */
export async function lookAtPersons(parts: Parts): Promise<void> {
  const { database, limits, progress, personProperties: known } = parts
  const unseen = progress.unseenPersons
  const { rows, chosen } = await database.read(
    async (connection) => {
      const counted = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM persons')
      const all = counted.getRows()[0]?.[0] as number
      return { rows: all, chosen: await choosePersonColumns(connection, known, all, limits) }
    },
    { kind: 'upkeep' },
  )
  if (chosen.kept.length < known.columns.length) {
    await database.write(
      (connection) => writePersonColumns(connection, chosen.kept),
      () => Object.assign(known, { columns: chosen.kept, set: known.set + 1 }),
    )
  }
  const added = ({ since }: PersonColumn) => {
    known.set = since
    progress.unfilledPersons += rows
  }
  await addEach(parts, { table: 'persons', known, write: writePersonColumns, added }, chosen.added)
  known.looked = rows
  progress.unseenPersons -= unseen
}

export const lackingIsDue = ({ progress, personProperties }: Parts): boolean =>
  personProperties.columns.length > 0 && progress.unfilledPersons > 0

export async function fillPersons({ database, limits, progress, personProperties }: Parts): Promise<void> {
  await database.write(
    (connection) => fillPersonColumns(connection, personProperties, limits.fillEvents),
    (filled) => {
      progress.unfilledPersons = filled === 0 ? 0 : Math.max(1, progress.unfilledPersons - filled)
    },
  )
}

export async function dropUnusedOfPersons({ database, personProperties: known }: Parts): Promise<void> {
  const { columns } = known
  if (columns.length === 0) return
  await database.write(
    async (connection) => {
      // It has a value, or no row is filled although there are rows.
      const uses = columns.map(
        (column) => `count(${nameOf(column)}) > 0 OR coalesce(bool_and(${lacksSome([column])}), false)`,
      )
      const found = await connection.runAndReadAll(`SELECT ${uses.join(', ')} FROM persons`)
      const used = columns.filter((_, place) => found.getRows()[0]?.[place] === true)
      if (used.length < columns.length) await writePersonColumns(connection, used)
      return used
    },
    (used) => {
      if (used.length < columns.length) Object.assign(known, { columns: used, set: known.set + 1 })
    },
  )
}
