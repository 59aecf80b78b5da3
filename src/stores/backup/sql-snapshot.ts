/**
 * The SQL store as of one moment, copied while it is written. A read transaction fixes the moment; the pages are then
 * copied in it, a few at a time. The write-ahead log grows until the copy is done.
 */
import Database from 'better-sqlite3'
import type { RowCounts } from '../../model/events/store-copy.ts'

const BUSY_MS = 10_000
/** Pages copied in one go: 4 MB. */
const PAGES = 1_000

/** A copy is one file: without write-ahead logging nothing lies beside it, whoever reads it. */
export function leaveWal(path: string): void {
  const database = new Database(path)
  try {
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
}

export class SqlSnapshot {
  readonly #source: Database.Database

  constructor(path: string) {
    this.#source = new Database(path, { readonly: true, timeout: BUSY_MS })
  }

  /** About as many bytes as all blocks of recordings have. */
  blobBytes(): number {
    const sum = this.#source.prepare('select coalesce(sum(stored_bytes), 0) from recording_progress').pluck()
    return sum.get() as number
  }

  /** Whether there is such a recording now, whatever the moment of the copy is. */
  hasRecording(projectId: number, sessionId: string): boolean {
    // The bytes of a removed project go before its rows.
    const found = this.#source.prepare(`select 1 from recordings join projects on projects.id = project_id
      where project_id = ? and session_id = ? and removed_at is null`)
    return found.get(projectId, sessionId) !== undefined
  }

  /** Fixes the moment. */
  pin(): void {
    this.#source.exec('begin')
    // The transaction sees what was committed when it first reads.
    this.#source.prepare('select 1 from sqlite_master limit 1').get()
  }

  async copyTo(path: string, signal?: AbortSignal): Promise<void> {
    await this.#source.backup(path, {
      progress() {
        signal?.throwIfAborted()
        return PAGES
      },
    })
    this.#source.exec('commit')
    leaveWal(path)
  }

  close(): void {
    this.#source.close()
  }
}

/** Of every table of a copy that nobody else uses. */
export function countRows(path: string): RowCounts {
  const database = new Database(path, { readonly: true })
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
      .pluck()
      .all() as string[]
    const count = (table: string) => database.prepare(`select count(*) from "${table}"`).pluck().get() as number
    return Object.fromEntries(tables.map((table) => [table, count(table)]))
  } finally {
    database.close()
  }
}

export interface StoredFile {
  projectId: number
  sessionId: string
  blobKey: string
  bytes: number
}

/** The files that the recordings of a copy consist of, and how many of their bytes belong to it. */
export function* recordingFiles(path: string): Generator<StoredFile> {
  const database = new Database(path, { readonly: true })
  try {
    const blocks = database.prepare(`select project_id as projectId, session_id as sessionId, blob_key as blobKey,
      byte_offset + byte_length as bytes from recording_blocks order by project_id, session_id, block`)
    let current: StoredFile | null = null
    for (const block of blocks.iterate() as Iterable<StoredFile>) {
      if (current?.blobKey === block.blobKey) {
        current.bytes = Math.max(current.bytes, block.bytes)
        continue
      }
      if (current) yield current
      current = block
    }
    if (current) yield current
  } finally {
    database.close()
  }
}
