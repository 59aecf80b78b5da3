/** Data folders that earlier versions left, unpacked into temporary ones (`make-data-folder.ts` makes them). */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const FOLDERS = new URL('../../fixtures/data-folders/', import.meta.url).pathname

export interface Expected {
  /** When the folder was left. */
  now: number
  /** What the version that left it answered, by path below the first project. */
  answers: Record<string, unknown>
}

/** The versions of which there is a folder. */
export const dataFolders = (): string[] => readdirSync(FOLDERS)

export const expectedOf = (version: string): Expected =>
  JSON.parse(readFileSync(join(FOLDERS, version, 'expected.json'), 'utf8'))

export function unpackFolder(version: string): string {
  const from = join(FOLDERS, version)
  const to = mkdtempSync(join(tmpdir(), 'hedgerow-folder-'))
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.gz')) continue
    const file = join(to, path.slice(0, -3))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gunzipSync(readFileSync(join(from, path))))
  }
  return to
}
