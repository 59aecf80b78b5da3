/**
 * The tables of a SQL store as the database itself knows them, so that a table that a later step adds is copied too. All of
 * them have a primary key.
 */
import type { Kysely } from 'kysely'

export interface TableShape {
  name: string
  /** By name; `type` is how the engine calls it. */
  columns: { name: string; type: string }[]
  /** Of the primary key. */
  key: string[]
}

// biome-ignore lint/suspicious/noExplicitAny: also of a migration
export type AnyDatabase = Kysely<any>

/** What runs compiled SQL, as a connection does. */
interface Running {
  runPrepared<Row>(text: string, values: unknown[]): Row[] | Promise<Row[]>
}

export interface SqlCatalog {
  hasTable(db: AnyDatabase, name: string): Promise<boolean>
  /** All but that of the migrations; those that others refer to come before these. */
  tables(db: AnyDatabase): Promise<TableShape[]>
  /** Stores rows, whose values are in the order of the columns. Of a writer only. */
  insert(connection: Running, table: TableShape, rows: unknown[][]): Promise<void>
  /** By table: the highest id that was ever handed out, where the engine does that. */
  handedOut(db: AnyDatabase): Promise<Record<string, number>>
  /** No id up to this one is handed out any more. */
  raiseHandedOut(db: AnyDatabase, table: string, to: number): Promise<void>
}

export interface FoundColumn {
  table: string
  column: string
  type: string
  /** Its place in the primary key, from 1; 0: it is not in it. */
  place: number
}

export interface FoundReference {
  child: string
  parent: string
}

/** Of the migrations, and of a copy that is not complete. */
const NOT_COPIED = ['schema_migrations', 'copy_progress']

function toShape(name: string, found: FoundColumn[]): TableShape {
  const key = found.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place)
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`)
  const columns = found.map(({ column, type }) => ({ name: column, type }))
  // The same in every engine, whatever the order in which they were added.
  columns.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { name, columns, key: key.map(({ column }) => column) }
}

/** Each after those that it refers to. */
export function shapesOf(columns: FoundColumn[], references: FoundReference[]): TableShape[] {
  const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !NOT_COPIED.includes(name)).sort()
  const parentsOf = (name: string) => references.filter(({ child, parent }) => child === name && parent !== name)
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    for (const { parent } of parentsOf(name)) add(parent)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered].map((name) =>
    toShape(
      name,
      columns.filter(({ table }) => table === name),
    ),
  )
}
