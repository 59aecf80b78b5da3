/** A backup: a folder with a copy of every store as of one moment, and a manifest that is written last. */
import type { RowCounts } from './events/store-copy.ts'

export interface Backup {
  /** Of the format of the folder. */
  format: number
  /** The version of Hedgerow that made it. */
  version: string
  installation: string
  /** The moment it is of: all that was committed before is in it, nothing later. */
  madeAt: string
  files: number
  bytes: number
  /** Of the file that lists the checksums of all others. */
  checksums: string
  rows: { sql: RowCounts; events: RowCounts }
}

export interface BackupMaker {
  /**
   * Makes a backup in this folder, which must be empty or not exist, while everything else goes on. When it resolves
   * the backup is complete and on the disk; when it rejects, nothing of it is left. An OperatorError says what the
   * operator has to change. It rejects soon after `signal` is aborted.
   */
  backUp(folder: string, signal?: AbortSignal): Promise<Backup>
}
