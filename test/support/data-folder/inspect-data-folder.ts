/** Reads the files of a data folder directly, without the programs that wrote them. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Every file below the folder: its path in it, and its bytes. */
export const filesOf = (folder: string): [path: string, bytes: Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path), readFileSync(path)])

/** The numbers of the pages of a SQLite file that are free and still contain data. */
export function usedFreePages(file: string): number[] {
  const bytes = readFileSync(file)
  const size = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16)
  const page = (number: number) => bytes.subarray((number - 1) * size, number * size)
  const used: number[] = []
  for (let trunk = bytes.readUInt32BE(32); trunk !== 0; trunk = page(trunk).readUInt32BE(0)) {
    const leaves = page(trunk).readUInt32BE(4)
    for (let leaf = 0; leaf < leaves; leaf++) {
      const number = page(trunk).readUInt32BE(8 + 4 * leaf)
      if (page(number).some((byte) => byte !== 0)) used.push(number)
    }
    if (
      page(trunk)
        .subarray(8 + 4 * leaves)
        .some((byte) => byte !== 0)
    )
      used.push(trunk)
  }
  return used
}

export interface EventStoreContents {
  /** Of every column of every table, as text. */
  texts: string
  freeBlocks: number
  /** Rows that were removed and are still in a table. */
  removedRows: number
}

/** Of a copy: the file itself is locked by the running server. */
export async function eventStoreContents(path: string): Promise<EventStoreContents> {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-copy-'))
  const copy = join(folder, 'events.duckdb')
  copyFileSync(path, copy)
  if (existsSync(`${path}.wal`)) copyFileSync(`${path}.wal`, `${copy}.wal`)
  const instance = await DuckDBInstance.create(copy, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
  try {
    const tables = (await read('SELECT table_name FROM duckdb_tables() WHERE NOT internal')).map(([name]) =>
      String(name),
    )
    let texts = ''
    let removedRows = 0
    for (const table of tables) {
      const rows = await read(`SELECT to_json(t)::VARCHAR FROM ${table} AS t`)
      texts += rows.join('\n')
      const kept = `SELECT sum(count) FROM pragma_storage_info('${table}') WHERE column_id = 0 AND segment_type <> 'VALIDITY'`
      const [stored] = await read(kept)
      removedRows += Math.max(0, Number(stored?.[0] ?? 0) - rows.length)
    }
    const [size] = await read('SELECT free_blocks FROM pragma_database_size()')
    return { texts, freeBlocks: Number(size?.[0]), removedRows }
  } finally {
    connection.closeSync()
    instance.closeSync()
    rmSync(folder, { recursive: true, force: true })
  }
}
