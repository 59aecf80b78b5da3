/**
 * Files that survive a crash of the machine: a file's bytes do once it is synced, its name once its folder is.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

const FILE_MODE = 0o600

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** As `syncFolder`, for work that must not be interleaved with other work. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** A new file, for its owner only; its folder is not synced. */
export async function writeDurably(path: string, bytes: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The result of `attempt`; null when the file or folder does not exist. */
export async function unlessMissing<T>(attempt: Promise<T>): Promise<T | null> {
  try {
    return await attempt
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
