/**
 * What a backup consists of: the files of a data folder under their own names, a list of their checksums (as `sha256sum`
 * writes it), and the manifest. The manifest is written last and put in place by rename: a folder without one is not a
 * complete backup, whatever else is in it.
 */
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { Backup } from '../../model/backup.ts'
import { makeFolder, notWritable } from '../data-folder.ts'
import { syncFolder, writeDurably } from '../fs/durable-files.ts'

const MANIFEST = 'manifest.json'
export const CHECKSUMS = 'SHA256SUMS'
export const FORMAT = 1

/** One inside the data folder would be lost with it, and nothing is ever overwritten. */
export function refuseUnusable(dataDir: string, folder: string): void {
  const way = relative(resolve(dataDir), resolve(folder))
  if (!(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))) {
    throw new OperatorError(`The folder ${folder} is inside the data folder. Name one outside of it.`)
  }
  if (!existsSync(folder)) return
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    throw notWritable(`The folder ${folder}`, cause)
  }
  if (names.length === 0) return
  const what = names.includes(MANIFEST) ? 'has a backup already' : 'is not empty'
  throw new OperatorError(`The folder ${folder} ${what}. Name one that does not exist yet.`)
}

/** For its owner only. */
export function prepareBackupFolder(dataDir: string, folder: string): void {
  refuseUnusable(dataDir, folder)
  try {
    makeFolder(folder)
    chmodSync(folder, 0o700)
  } catch (cause) {
    throw notWritable(`The folder ${folder}`, cause)
  }
}

export async function writeManifest(folder: string, backup: Backup): Promise<void> {
  const path = join(folder, MANIFEST)
  await writeDurably(`${path}.part`, `${JSON.stringify(backup, null, 2)}\n`)
  await rename(`${path}.part`, path)
  await syncFolder(folder)
}

/** Refuses what is not a complete backup that this version can read. */
export function readManifest(folder: string): Backup {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) {
    const remedy = 'The manifest is written last: without one a backup was cut off, or this is none.'
    throw new OperatorError(`There is no complete backup in ${folder}. ${remedy}`)
  }
  let read: Partial<Backup>
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read: ${(cause as Error).message}.`, cause)
  }
  if (read.format !== FORMAT) {
    throw new OperatorError(
      `${path} has a format that this version does not know. Restore with Hedgerow ${read.version}.`,
    )
  }
  return read as Backup
}
