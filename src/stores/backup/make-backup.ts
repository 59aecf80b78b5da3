/**
 * Makes a backup of all stores while they are in use. They are copied as of one moment: while nothing is written to the
 * event store, a read transaction fixes the state of the SQL store. So whatever has left the outbox by then is in the
 * copy of the event store, what has not is in the copied outbox and is applied later, and a deletion that is marked as
 * done is done in both. Files of recordings are copied by the rows of the copied SQL store, up to the length that these
 * name: bytes are stored before their row, and only ever appended. A recording that is deleted before its bytes are
 * copied is deleted in the copy too.
 *
 * The writer of the event store waits for a moment only, capture not at all. SQL store and recordings are copied in a
 * thread that ends with the backup.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { openThread, threadFile } from '../../lib/concurrency/worker-thread.ts'
import { freeSpace } from '../../lib/disk-space.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant } from '../../lib/time/time.ts'
import { version } from '../../lib/version.ts'
import type { Backup, BackupMaker } from '../../model/backup.ts'
import type { Copying } from '../../model/events/store-copy.ts'
import { STORE_NAMES } from '../data-folder.ts'
import { prepareBackupFolder } from './backup-folder.ts'
import type { BackupPaths, StoreFiles } from './store-files.ts'

const FILE = threadFile(import.meta.url, './backup-worker.js')

export interface BackupParts {
  dataDir: string
  events: Copying
  clock: Clock
  /** Free space that the data folder's disk must keep. */
  reserve: number
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

async function checkRoom({ dataDir, reserve }: BackupParts, folder: string, files: StoreFiles): Promise<void> {
  const isSameDisk = statSync(folder).dev === statSync(dataDir).dev
  const needed = (await files.size()) + (isSameDisk ? reserve : 0)
  const free = await freeSpace(folder)
  if (free >= needed) return
  throw new OperatorError(`${folder} has ${megabytes(free)} free, but a backup needs about ${megabytes(needed)}.`)
}

async function copyStores(
  parts: BackupParts,
  { folder }: BackupPaths,
  files: StoreFiles,
  signal: AbortSignal | undefined,
): Promise<Backup> {
  const { events, clock } = parts
  await checkRoom(parts, folder, files)
  const eventsFile = join(folder, STORE_NAMES.events)
  await (signal ? events.beginCopy(eventsFile, signal) : events.beginCopy(eventsFile))
  try {
    await files.pin()
  } catch (error) {
    await events.dropCopy()
    throw error
  }
  const madeAt = formatInstant(clock.now())
  const eventRows = await events.finishCopy()
  signal?.throwIfAborted()
  const facts = { version: version(), madeAt, eventRows }
  return signal ? files.copy(facts, signal) : files.copy(facts)
}

/** The folder was empty, so that all that is in it is ours. */
function removeRemains(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
}

async function makeBackup(parts: BackupParts, folder: string, signal: AbortSignal | undefined): Promise<Backup> {
  prepareBackupFolder(parts.dataDir, folder)
  const paths = { dataDir: parts.dataDir, folder }
  const files = await openThread<StoreFiles>(FILE, paths, () => {})
  try {
    return await copyStores(parts, paths, files, signal)
  } catch (error) {
    await files.close()
    removeRemains(folder)
    throw error
  } finally {
    await files.close()
  }
}

/** One backup at a time; the next one waits. */
export function createBackups(parts: BackupParts): BackupMaker {
  const inTurn = createSerialQueue()
  return { backUp: (folder, signal) => inTurn(() => makeBackup(parts, folder, signal)) }
}
