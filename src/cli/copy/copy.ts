/**
 * `hedgerow copy`: the stores that the settings name are copied to other engines, and compared. A target is a URL as its setting
 * takes it, or a data folder, for the embedded engine.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../../config.ts'
import { OperatorError } from '../../lib/errors.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { copyStores, type Moved } from '../../stores/copy/copy-stores.ts'
import type { ComparedSum } from '../../stores/copy/sums.ts'
import { printTable } from '../print-list.ts'
import { copyReport } from './progress.ts'

/** By option: the setting that takes such a URL. */
const SETTINGS = {
  'to-sql': 'HEDGEROW_SQL_URL',
  'to-events': 'HEDGEROW_EVENTS_URL',
  'to-blobs': 'HEDGEROW_BLOBS_URL',
} as const

type Targets = Partial<Record<keyof typeof SETTINGS, string>>

const isUrl = (target: string): boolean => target.includes('://')

/** What the settings will be of those that are named. */
function targetConfig(targets: Targets, { dataDir, eventsMemory }: Config): Config {
  const named = Object.entries(targets) as [keyof typeof SETTINGS, string][]
  const folders = [...new Set(named.flatMap(([, target]) => (isUrl(target) ? [] : [resolve(target)])))]
  if (folders.length > 1) {
    throw new OperatorError(`One data folder has all stores that are in one: ${folders.join(' and ')} are two.`)
  }
  const urls = named.filter(([, target]) => isUrl(target)).map(([option, target]) => [SETTINGS[option], target])
  return readConfig({
    ...Object.fromEntries(urls),
    HEDGEROW_DATA_DIR: folders[0] ?? dataDir,
    HEDGEROW_EVENTS_MEMORY: `${eventsMemory}`,
  })
}

const HEADS = ['table', 'project', 'rows', 'rows of the copy', 'checksum', 'of the copy', '']

/** Of a checksum that is printed. */
const DIGITS = 16

const cellsOf = ({ table, projectId, source, target, isSame }: ComparedSum): string[] => [
  table,
  projectId === 0 ? '-' : `${projectId}`,
  `${source.rows}`,
  `${target.rows}`,
  source.sum.slice(0, DIGITS),
  target.sum.slice(0, DIGITS),
  isSame ? 'same' : 'DIFFERENT',
]

/** What the settings have to be from now on. */
function settingsOf(targets: Targets, config: Config): string {
  const named = Object.entries(SETTINGS).flatMap(([option, setting]) => {
    const target = targets[option as keyof Targets]
    if (target === undefined) return []
    return [isUrl(target) ? `${setting} as given to --${option}` : `no ${setting}`]
  })
  const folder = Object.values(targets).find((target) => !isUrl(target)) ?? config.dataDir
  return `${named.join(', ')}, HEDGEROW_DATA_DIR=${folder}`
}

export async function copy(args: string[], config: Config): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { 'to-sql': text, 'to-events': text, 'to-blobs': text } })
  const targets: Targets = values
  const moved: Moved = {
    sql: targets['to-sql'] !== undefined,
    events: targets['to-events'] !== undefined,
    blobs: targets['to-blobs'] !== undefined,
  }
  if (Object.values(targets).some((target) => target.trim() === ''))
    throw new OperatorError('A target of the copy is empty: it must be a URL or a data folder.')
  if (!Object.values(moved).includes(true))
    throw new OperatorError('copy needs --to-sql, --to-events or --to-blobs: where the data is to go.')
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const outcome = await copyStores(config, targetConfig(targets, config), moved, copyReport(print, systemClock))
  print('')
  printTable([HEADS, ...outcome.compared.map(cellsOf)])
  print('')
  if (outcome.missingBlocks > 0)
    print(`${outcome.missingBlocks} blocks of recordings have no bytes in the source, and none in the copy.`)
  const different = outcome.compared.filter(({ isSame }) => !isSame).length
  if (different > 0)
    throw new OperatorError(`${different} of ${outcome.compared.length} differ: the copy is not to be used.`)
  print(`All is the same. To use the copy, start the server with ${settingsOf(targets, config)}.`)
}
