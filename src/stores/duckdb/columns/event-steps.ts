/** What the background pass does with the columns of events' properties. */
import type { Parts } from '../progress.ts'
import { addBlock, scanBlock } from '../properties/key-blocks.ts'
import { type KnownProperties, nameOf, writeColumns } from '../properties/property-columns.ts'
import { addEach } from './add-columns.ts'
import { chooseColumns, type RefusedKeys } from './choose-columns.ts'
import { fillColumns } from './fill-columns.ts'

/** One object for all: readers take what it holds when they begin. */
const keep = (properties: KnownProperties, change: Partial<KnownProperties>): void => {
  Object.assign(properties, change)
}

export const scanIsDue = ({ progress, limits, properties }: Parts): boolean =>
  progress.lastOrd - properties.scanned >= limits.blockEvents

export async function scanEvents(parts: Parts, refused: RefusedKeys): Promise<void> {
  const { database, limits, properties } = parts
  const range = { from: properties.scanned, to: properties.scanned + limits.blockEvents }
  const { block, chosen } = await database.read(
    async (connection) => {
      const scanned = await scanBlock(connection, range)
      return { block: scanned, chosen: await chooseColumns(connection, scanned, properties, refused, limits) }
    },
    { kind: 'upkeep' },
  )
  await database.write(
    async (connection) => {
      await addBlock(connection, block)
      if (chosen.kept.length < properties.columns.length) await writeColumns(connection, chosen.kept)
    },
    () => keep(properties, { columns: chosen.kept, scanned: range.to }),
  )
  await addEach(parts, { table: 'events', known: properties, write: writeColumns }, chosen.added)
}

export const fillIsDue = ({ properties: { columns, scanned } }: Parts): boolean =>
  columns.some(({ filled }) => filled < scanned)

export async function fillEvents({ database, properties, limits }: Parts): Promise<void> {
  await database.write(
    (connection) => fillColumns(connection, properties, limits.fillEvents),
    (columns) => keep(properties, { columns }),
  )
}

export async function dropUnusedOfEvents({ database, properties }: Parts): Promise<void> {
  await database.write(
    async (connection) => {
      const { columns } = properties
      if (columns.length === 0) return columns
      const counts = columns.map((column) => `count(${nameOf(column)})::DOUBLE`)
      const found = await connection.runAndReadAll(`SELECT ${counts.join(', ')} FROM events`)
      const [values = []] = found.getRows() as number[][]
      const used = columns.filter(({ filled }, place) => filled === 0 || (values[place] ?? 0) > 0)
      if (used.length < columns.length) await writeColumns(connection, used)
      return used
    },
    (columns) => keep(properties, { columns }),
  )
}
