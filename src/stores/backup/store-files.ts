/**
 * The work of a backup that runs in a thread of its own: copies the SQL store and the files of recordings as of the
 * moment that `pin` fixes, writes the checksums of everything and, last of all, the manifest.
 */
import { chmodSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Backup } from '../../model/backup.ts'
import { MAKE_BACKUP } from '../../model/job.ts'
import { STORE_NAMES } from '../data-folder.ts'
import { STAMP } from '../fs/blobs.ts'
import { syncFolder, writeDurably } from '../fs/durable-files.ts'
import { installationReader } from '../sql/repositories/installation.ts'
import { recordingWriter } from '../sql/repositories/recordings/recordings.ts'
import { registerSqliteFunctions } from '../sql/sqlite/functions.ts'
import { openSqlite } from '../sql/sqlite/open-sqlite.ts'
import { CHECKSUMS, FORMAT, writeManifest } from './backup-folder.ts'
import { ChecksumWriter } from './checksum-list.ts'
import { type Copied, copyFile, hashFile } from './copy-file.ts'
import { countRows, leaveWal, recordingFiles, SqlSnapshot, type StoredFile } from './sql-snapshot.ts'

export interface BackupPaths {
  dataDir: string
  folder: string
}

/** What the thread is told of the other stores. */
export type BackupFacts = Pick<Backup, 'version' | 'madeAt'> & { eventRows: Backup['rows']['events'] }

interface Session {
  projectId: number
  sessionId: string
}

interface Copies {
  paths: BackupPaths
  live: SqlSnapshot
  sums: ChecksumWriter
  signal: AbortSignal | undefined
}

/** The sessions whose bytes are gone because the recording was deleted since the moment of the backup. */
async function copyRecordings({ paths, live, sums, signal }: Copies): Promise<Session[]> {
  const deleted: Session[] = []
  const copyOne = async ({ projectId, sessionId, blobKey, bytes }: StoredFile) => {
    const name = `${STORE_NAMES.blobs}/${blobKey}`
    const length = { length: bytes, signal }
    const copied = await copyFile(join(paths.dataDir, name), join(paths.folder, name), length)
    if (copied) await sums.add(name, copied)
    // Bytes that are missing from a recording that is still there were missing before: it goes on without them.
    const isWhole = copied?.bytes === bytes
    if (!isWhole && !live.hasRecording(projectId, sessionId)) deleted.push({ projectId, sessionId })
  }
  for (const file of recordingFiles(join(paths.folder, STORE_NAMES.sql))) await copyOne(file)
  return deleted
}

/** The copied SQL store, without this backup's own job and without recordings whose bytes could not be copied. */
async function tidySql(path: string, deleted: Session[], now: number): Promise<{ id: string; starts: number }> {
  const { reader, transact, close } = openSqlite(path, registerSqliteFunctions)
  try {
    await transact(async (connection) => {
      await connection.db.deleteFrom('jobs').where('kind', '=', MAKE_BACKUP).execute()
      const recordings = recordingWriter(connection)
      for (const { projectId, sessionId } of deleted) {
        await recordings.replaceByTombstone(projectId, [sessionId], { userId: null, at: now })
      }
    })
    return await installationReader(reader).find()
  } finally {
    await close()
    leaveWal(path)
  }
}

async function stampRecordings(path: string, stamp: { id: string; reached: number }): Promise<Copied> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably(path, JSON.stringify(stamp))
  return hashFile(path)
}

async function copyAll(copies: Copies, { version, madeAt, eventRows }: BackupFacts): Promise<Backup> {
  const { paths, live, sums, signal } = copies
  const { folder } = paths
  const sqlFile = join(folder, STORE_NAMES.sql)
  await live.copyTo(sqlFile, signal)
  const deleted = await copyRecordings(copies)
  const { id, starts } = await tidySql(sqlFile, deleted, Date.parse(madeAt))
  const stamp = `${STORE_NAMES.blobs}/${STAMP}`
  await sums.add(stamp, await stampRecordings(join(folder, stamp), { id, reached: starts }))
  for (const name of [STORE_NAMES.sql, STORE_NAMES.events]) {
    chmodSync(join(folder, name), 0o600)
    await sums.add(name, await hashFile(join(folder, name), signal))
  }
  const { files, bytes } = sums
  const rows = { sql: countRows(sqlFile), events: eventRows }
  const checksums = await sums.end()
  await syncFolder(folder)
  return { format: FORMAT, version, installation: id, madeAt, files, bytes, checksums, rows }
}

export async function openStoreFiles(paths: BackupPaths) {
  const live = new SqlSnapshot(join(paths.dataDir, STORE_NAMES.sql))
  return {
    /** About as many bytes as the backup will have. */
    async size(): Promise<number> {
      const files = [STORE_NAMES.sql, STORE_NAMES.events].map((name) => statSync(join(paths.dataDir, name)).size)
      return files.reduce((sum, bytes) => sum + bytes, live.blobBytes())
    },
    async pin(): Promise<void> {
      live.pin()
    },
    async copy(facts: BackupFacts, signal?: AbortSignal): Promise<Backup> {
      const sums = await ChecksumWriter.open(join(paths.folder, CHECKSUMS))
      try {
        const backup = await copyAll({ paths, live, sums, signal }, facts)
        await writeManifest(paths.folder, backup)
        return backup
      } catch (error) {
        await sums.abandon()
        throw error
      }
    },
    async close(): Promise<void> {
      live.close()
    },
  }
}

export type StoreFiles = Awaited<ReturnType<typeof openStoreFiles>>
