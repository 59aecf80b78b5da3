/**
 * Blobs as files below one folder; the key is the path. A blob appears by rename, so it exists completely or not at
 * all; `put` resolves when file and folders are synced to disk. Half-written files of a crashed process are removed
 * when the store opens. One process at a time. Folders are accessible to their owner only.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { BlobStore } from '../../model/blob.ts'
import { OWN, prefixSegments, segmentsOf } from '../blob-keys.ts'
import { notWritable } from '../data-folder.ts'
import { beginFile, growFile, readStretch } from './append-file.ts'
import { syncFolder, syncFolderNow, unlessMissing, writeDurably } from './durable-files.ts'
import { walkFiles } from './walk-files.ts'

const UNFINISHED = `${OWN}unfinished`
export const STAMP = `${OWN}installation`
const FOLDER_MODE = 0o700

/** Renames, creating the folder; returns the outermost folder created, if any. */
async function renameInto(from: string, to: string, attempts = 10): Promise<string | undefined> {
  const firstMade = await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE })
  try {
    await rename(from, to)
    return firstMade
  } catch (error) {
    // A removal of the whole folder may come between creating it and the rename.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 1) throw error
    return renameInto(from, to, attempts - 1)
  }
}

/** Syncs every folder created for the file; `firstMade` is the outermost of them. */
async function syncFoldersOf(path: string, firstMade: string | undefined): Promise<void> {
  const outermost = firstMade === undefined ? dirname(path) : dirname(firstMade)
  // A folder that no longer exists was removed with the blob in it: there is nothing left to sync.
  for (let folder = dirname(path); folder.length >= outermost.length; folder = dirname(folder)) {
    await unlessMissing(syncFolder(folder))
  }
}

/** Removes one file; returns how many bytes it had, null when it did not exist. */
async function removeFile(path: string): Promise<number | null> {
  const found = await unlessMissing(stat(path))
  if (!found?.isFile() || (await unlessMissing(unlink(path).then(() => true))) === null) return null
  return found.size
}

function prepareFolders(root: string): string {
  const unfinished = join(root, UNFINISHED)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: FOLDER_MODE })
  syncFolderNow(dirname(root))
  return unfinished
}

function openFolders(root: string): string {
  try {
    return prepareFolders(root)
  } catch (cause) {
    throw notWritable(`The folder ${root}`, cause)
  }
}

/** Without changing anything: of a store that another process may open next. */
export const inspectBlobs = (root: string): Pick<BlobStore, 'stamp' | 'read'> => blobsIn(root, join(root, UNFINISHED))

export const openFileBlobs = (root: string): BlobStore => blobsIn(root, openFolders(root))

function blobsIn(root: string, unfinished: string): BlobStore {
  let written = 0

  const pathOf = (key: string) => join(root, ...segmentsOf(key))
  const folderOf = (prefix: string) => join(root, ...prefixSegments(prefix))

  async function list(prefix: string): Promise<string[]> {
    const entries = await unlessMissing(readdir(folderOf(prefix), { recursive: true, withFileTypes: true }))
    return (entries ?? [])
      .filter((entry) => entry.isFile() && entry.name !== STAMP && !entry.parentPath.startsWith(unfinished))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort()
  }

  /** Completely or not at all, synced to disk. */
  async function putFile(path: string, bytes: Buffer): Promise<void> {
    const temporary = join(unfinished, `${process.pid}-${++written}`)
    try {
      await writeDurably(temporary, bytes)
      await syncFoldersOf(path, await renameInto(temporary, path))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async function remove(key: string): Promise<boolean> {
    const path = pathOf(key)
    if ((await removeFile(path)) === null) return false
    await unlessMissing(syncFolder(dirname(path)))
    return true
  }

  return {
    put: async (key, bytes) => putFile(pathOf(key), bytes),
    async append(key, bytes, at) {
      const path = pathOf(key)
      if (at > 0) return (await unlessMissing(growFile(path, bytes, at))) ?? false
      await syncFoldersOf(path, await beginFile(path, bytes))
      return true
    },
    read: async (key, offset, length) => unlessMissing(readStretch(pathOf(key), offset, length)),
    get: async (key) => unlessMissing(readFile(pathOf(key))),
    remove,
    async removeAll(prefix) {
      const folder = folderOf(prefix)
      let freed = 0
      for (const key of await list(prefix)) freed += (await removeFile(pathOf(key))) ?? 0
      // Empty folders are removed too: a process may have crashed between creating one and its first file.
      const names = prefix === '' ? (await readdir(root)).filter((name) => name !== UNFINISHED && name !== STAMP) : ['']
      for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
      await unlessMissing(syncFolder(prefix === '' ? root : dirname(folder)))
      return freed
    },
    list,
    async parts(prefix) {
      const segments = prefixSegments(prefix)
      return walkFiles(root, segments.map((segment) => `${segment}/`).join(''))
    },
    async removeParts(parts) {
      for (const { key, offset } of parts) if (offset === 0) await remove(key)
    },
    async stamp() {
      const found = await unlessMissing(readFile(join(root, STAMP), 'utf8'))
      return found === null ? null : JSON.parse(found)
    },
    setStamp: ({ id, reached }) => putFile(join(root, STAMP), Buffer.from(JSON.stringify({ id, reached }))),
    ping: () => access(root, constants.R_OK | constants.W_OK),
  }
}
