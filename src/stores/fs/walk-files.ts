/** The files below a folder, in the order of their paths, with the names of one folder at each level in memory. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPart } from '../../model/blob.ts'
import { OWN } from '../blob-keys.ts'
import { unlessMissing } from './durable-files.ts'

const byBytes = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** `start` is the key of the folder, with a `/` at its end unless it is the root. What has no key is left out. */
export async function* walkFiles(root: string, start: string): AsyncGenerator<BlobPart> {
  const entries = (await unlessMissing(readdir(join(root, start), { withFileTypes: true }))) ?? []
  const names = entries
    .filter((entry) => !entry.name.includes(OWN) && (entry.isDirectory() || entry.isFile()))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort(byBytes)
  for (const name of names) {
    const key = start + name
    if (name.endsWith('/')) {
      yield* walkFiles(root, key)
      continue
    }
    const found = await unlessMissing(stat(join(root, key)))
    if (found) yield { key, offset: 0, bytes: found.size, changedAt: found.mtimeMs }
  }
}
