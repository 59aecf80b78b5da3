/** Data folders that are removed at the end of the bench. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-bench-'))
  made.push(folder)
  return folder
}

export function removeTempFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

// Also when it is interrupted: the folders are large.
process.once('SIGINT', () => {
  removeTempFolders()
  process.exit(130)
})
