/**
 * Copies all rows of a SQL store into another one, table by table in the order of its primary key. How far a table has come is
 * noted in the transaction of its rows, in a table that is there as long as the copy is not complete: until then no server
 * starts on it.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { OperatorError } from '../../../lib/errors.ts'
import { NO_PROJECT, type Progress, rowsIn, Sums, type WrittenSums } from '../../copy/sums.ts'
import type { Connection, SqlEngine } from '../connection.ts'
import type { AnyDatabase, TableShape } from './catalog.ts'

const PROGRESS = 'copy_progress'
/** The name under which the source is noted; no table has it. */
const SOURCE = '~source'

/** What a table is noted with. */
interface TableNote {
  /** The key of the last row; null: there is none yet. */
  after: unknown[] | null
  isDone: boolean
  sums: WrittenSums
}

interface ProgressRow {
  name: string
  value: string
}

/** Throws when the store is a copy that is not complete. */
export async function refuseHalfCopied({ reader }: Pick<SqlEngine, 'reader'>): Promise<void> {
  if (!(await reader.dialect.catalog.hasTable(reader.db, PROGRESS))) return
  throw new OperatorError(
    'The SQL store is a copy that is not complete. Run "hedgerow copy" again, from where the data is, until it says that all is the same.',
  )
}

/** Null: it is no copy, or a complete one. */
export async function readSource({ reader }: SqlEngine): Promise<string | null> {
  if (!(await reader.dialect.catalog.hasTable(reader.db, PROGRESS))) return null
  const { rows } = await sql<ProgressRow>`select * from copy_progress where name = ${SOURCE}`.execute(reader.db)
  return rows[0]?.value ?? null
}

export async function noteSource({ transact }: SqlEngine, source: string): Promise<void> {
  await transact(async ({ db }) => {
    await sql`create table if not exists copy_progress (name text primary key, value text not null)`.execute(db)
    await writeNote(db, SOURCE, source)
  })
}

export const forgetSource = ({ transact }: SqlEngine): Promise<void> =>
  transact(async ({ db }) => void (await sql`drop table if exists copy_progress`.execute(db)))

const writeNote = async (db: AnyDatabase, name: string, value: string): Promise<void> => {
  await sql`insert into copy_progress (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

async function readNote(db: AnyDatabase, name: string): Promise<TableNote> {
  const { rows } = await sql<ProgressRow>`select * from copy_progress where name = ${name}`.execute(db)
  return rows[0] ? JSON.parse(rows[0].value, fromJson) : { after: null, isDone: false, sums: {} }
}

/** Bytes of a key as JSON and back. */
const toJson = (_: string, value: unknown): unknown =>
  (value as { type?: string } | null)?.type === 'Buffer'
    ? { hex: Buffer.from((value as { data: number[] }).data).toString('hex') }
    : value
const fromJson = (_: string, value: unknown): unknown => {
  const hex = (value as { hex?: unknown } | null)?.hex
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : value
}

/** By table, where not all rows are copied: SQL of a condition on those that are. */
export type OnlyRows = Partial<Record<string, RawBuilder<SqlBool>>>

export interface CopyTables {
  source: SqlEngine
  target: SqlEngine
  only: OnlyRows
  progress: Progress
}

const ALL = sql<SqlBool>`1 = 1`

const MOST_ROWS = 1_000
const FIRST_ROWS = 50
/** About so much of a page is held; the next has as many rows as that would be. */
const PAGE_BYTES = 8_000_000

const bytesOf = (row: unknown[]): number => {
  let bytes = 0
  for (const value of row) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return bytes
}

/** The rows of a table after a key, page by page, their values in the order of the columns. */
async function* pagesOf(
  { db }: Connection,
  { name, columns, key }: TableShape,
  start: unknown[] | null,
  only: RawBuilder<SqlBool> | undefined,
): AsyncGenerator<unknown[][]> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  let after = start
  for (let limit = FIRST_ROWS; ; ) {
    const beyond = after === null ? ALL : sql`(${keys}) > (${sql.join(after)})`
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}
      where ${beyond} and ${only ?? ALL} order by ${keys} limit ${sql.lit(limit)}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const page = rows.map((row) => columns.map((column) => row[column.name]))
    yield page
    if (rows.length < limit) return
    after = key.map((column) => last[column])
    const bytes = page.reduce((sum, row) => sum + bytesOf(row), 0) / page.length
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor(PAGE_BYTES / bytes)))
  }
}

/** A table of projects is about the project that it has a row for. */
const projectColumn = ({ name, columns }: TableShape): number =>
  columns.findIndex((column) => column.name === (name === 'projects' ? 'id' : 'project_id'))

function addRows(sums: Sums, table: TableShape, rows: unknown[][]): void {
  const project = projectColumn(table)
  for (const row of rows) sums.add(table.name, Number(row[project] ?? NO_PROJECT), row)
}

async function copyTable({ source, target, only, progress }: CopyTables, table: TableShape, to: TableShape) {
  const note = await readNote(target.reader.db, table.name)
  const sums = Sums.read(note.sums)
  progress(rowsIn(note.sums), true)
  if (note.isDone) return sums
  const { catalog } = target.reader.dialect
  const noted = (after: unknown[] | null, isDone: boolean) =>
    JSON.stringify({ after, isDone, sums: sums.write() } satisfies TableNote, toJson)
  // What the migrations have put there.
  if (note.after === null) {
    const where = only[table.name] ?? ALL
    await target.transact(async ({ db }) => {
      await sql`delete from ${sql.table(table.name)} where ${where}`.execute(db)
    })
  }
  let after = note.after
  for await (const rows of pagesOf(source.reader, table, note.after, only[table.name])) {
    addRows(sums, table, rows)
    const last = rows.at(-1) as unknown[]
    after = table.key.map((name) => last[table.columns.findIndex((column) => column.name === name)])
    const value = noted(after, false)
    await target.transact(async (connection) => {
      await catalog.insert(connection, to, rows)
      await writeNote(connection.db, table.name, value)
    }, 'relaxed')
    progress(rows.length)
  }
  await target.transact(({ db }) => writeNote(db, table.name, noted(after, true)))
  return sums
}

/** The number of changes is a row where one transaction runs at a time, elsewhere it is not. */
const SEQ = sql<SqlBool>`name <> 'seq'`

const withoutSeq = (only: OnlyRows): OnlyRows => ({ ...only, sequences: SEQ })

async function copyNumbers(source: SqlEngine, target: SqlEngine): Promise<void> {
  const handedOut = await source.reader.dialect.catalog.handedOut(source.reader.db)
  const last = source.reader.dialect.seq.last(source.reader.db).compile()
  const [seq] = (await source.reader.db.executeQuery<{ value: number }>(last)).rows
  await target.transact(async ({ db, dialect }) => {
    for (const [table, to] of Object.entries(handedOut)) await dialect.catalog.raiseHandedOut(db, table, to)
    const to = seq?.value ?? 0
    if (to > 0) await db.executeQuery(dialect.seq.raise(db, to).compile())
  })
}

async function tablesOf({ reader }: SqlEngine): Promise<TableShape[]> {
  const tables = await reader.dialect.catalog.tables(reader.db)
  // Last: until then the store is of another installation.
  return [
    ...tables.filter(({ name }) => name !== 'installation'),
    ...tables.filter(({ name }) => name === 'installation'),
  ]
}

/** All rows; returns what there is in the source. */
export async function copyTables(parts: CopyTables): Promise<WrittenSums> {
  const { source, target } = parts
  const only = withoutSeq(parts.only)
  const shapes = new Map((await tablesOf(target)).map((shape) => [shape.name, shape]))
  const sums: WrittenSums = {}
  for (const table of await tablesOf(source)) {
    const to = shapes.get(table.name)
    if (to === undefined) throw new Error(`There is no table ${table.name} to copy to.`)
    Object.assign(sums, (await copyTable({ ...parts, only }, table, to)).write())
  }
  await copyNumbers(source, target)
  return sums
}

/** What there is in a store. */
export async function sumTables(engine: SqlEngine, parts: Pick<CopyTables, 'only' | 'progress'>): Promise<WrittenSums> {
  const sums = new Sums()
  const only = withoutSeq(parts.only)
  for (const table of await tablesOf(engine)) {
    for await (const rows of pagesOf(engine.reader, table, null, only[table.name])) {
      addRows(sums, table, rows)
      parts.progress(rows.length)
    }
  }
  return sums.write()
}

export async function countRows(engine: SqlEngine): Promise<number> {
  let all = 0
  for (const { name } of await tablesOf(engine)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      engine.reader.db,
    )
    all += Number(rows[0]?.count ?? 0)
  }
  return all
}

/** Rows that only a server makes; the migrations make none of them. */
const FIRST_ONES = ['organizations', 'users', 'projects', 'persons'] as const

/** Whether no server was ever started on it. */
export async function isUnused({ reader: { db } }: SqlEngine): Promise<boolean> {
  for (const table of FIRST_ONES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}
