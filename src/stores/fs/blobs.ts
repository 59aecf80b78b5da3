/**
 * Blobs as files below one folder. A put writes beside its place, syncs, renames and syncs the folder, so that a
 * reader sees the old bytes or the new ones and a power cut loses neither.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { BlobStore } from '../../model/blob.ts'

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/
const TEMPORARY = '.part'

function missing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function openFileBlobs(root: string): BlobStore {
  const pathOf = (key: string): string => {
    const segments = key.replace(/\/$/, '').split('/')
    if (!segments.every((segment) => SEGMENT.test(segment) && !segment.endsWith(TEMPORARY))) {
      throw new Error('A blob key is made of segments of letters, digits, dot, dash and underscore.')
    }
    return join(root, ...segments)
  }
  const filesBelow = async (folder: string): Promise<string[]> => {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    } catch (error) {
      if (missing(error)) return []
      throw error
    }
  }
  const folderOf = (prefix: string): string => (prefix === '' ? root : pathOf(prefix))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const folder = dirname(path)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = `${path}.${process.pid}.${process.hrtime.bigint()}${TEMPORARY}`
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
      await syncFolder(folder)
    },
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (missing(error)) return null
        throw error
      }
    },
    async remove(key) {
      const path = pathOf(key)
      try {
        await rm(path)
      } catch (error) {
        if (missing(error)) return false
        throw error
      }
      await syncFolder(dirname(path))
      return true
    },
    async removeAll(prefix) {
      const folder = folderOf(prefix)
      let freed = 0
      for (const path of await filesBelow(folder)) freed += (await stat(path)).size
      await rm(folder, { recursive: true, force: true })
      return freed
    },
    async list(prefix) {
      const files = await filesBelow(folderOf(prefix))
      return files
        .filter((path) => !path.endsWith(TEMPORARY))
        .map((path) => relative(root, path).split(sep).join('/'))
        .sort()
    },
    async ping() {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await stat(root)
    },
  }
}
