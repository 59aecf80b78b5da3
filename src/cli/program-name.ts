/** How this program was started, as a command that can be pasted into the same shell. */
import { basename, delimiter, dirname, relative, resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Quoted for a shell. */
export const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

function program(path: string): string {
  if (!/\.c?js$/.test(path)) {
    const isFound = (process.env.PATH ?? '').split(delimiter).includes(dirname(path))
    return isFound ? basename(path) : quoted(path)
  }
  const near = relative('', path)
  return `node ${quoted(near.startsWith('..') ? path : near)}`
}

/** `hedgerow`, or `node dist/start.cjs`; with the data folder if that is not the one it would take. */
export function programName({ dataDir }: Pick<Config, 'dataDir'>, path = process.argv[1] ?? 'hedgerow'): string {
  const isDefault = resolve(dataDir) === resolve('data')
  return isDefault ? program(path) : `HEDGEROW_DATA_DIR=${quoted(resolve(dataDir))} ${program(path)}`
}
