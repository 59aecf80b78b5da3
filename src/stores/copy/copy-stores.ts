/**
 * Copies the stores of an installation to other engines. Whatever is not named stays where it is. Rows keep their numbers, and
 * the stores keep the id of the installation, so that a server starts on the copy as it did on the source. Until all of it has
 * been compared no server does.
 */
import { resolve } from 'node:path'
import { type SqlBool, sql } from 'kysely'
import { lockFolder, prepareFolder } from '../data-folder.ts'
import type { AllStoresConfig, OpenEngine } from '../open.ts'
import { copyTables, countRows, forgetSource, type OnlyRows, sumTables } from '../sql/copy/copy-tables.ts'
import { copyBlobs, countBytes, sumBlobs } from './copy-blobs.ts'
import { copyEvents, countMoved, sumEvents } from './copy-events.ts'
import { type CopySource, openSource } from './source.ts'
import { type ComparedSum, compareSums, type Progress, type WrittenSums } from './sums.ts'
import { openTargetBlobs, openTargetEvents, openTargetSql, openWalk, type TargetEvents } from './target.ts'

/** Which of the stores are copied. */
export interface Moved {
  sql: boolean
  events: boolean
  blobs: boolean
}

export interface CopyReport {
  say(line: string): void
  /** Something that takes long begins. */
  begin(what: string, unit: 'rows' | 'bytes', all: number): Progress
}

export interface CopyOutcome {
  compared: ComparedSum[]
  /** How many blocks of recordings have no bytes in the source. */
  missingBlocks: number
}

interface Copying {
  source: CopySource
  target: AllStoresConfig
  moved: Moved
  report: CopyReport
}

/** What a store has in the source and in the copy. */
interface BothSums {
  source: WrittenSums
  target: WrittenSums
}

/** Rows that were applied are kept for the event store that has them; another one has no use for them. */
const onlyRows = ({ events }: Moved): OnlyRows => (events ? { outbox: sql<SqlBool>`applied_at is null` } : {})

async function moveSql({ source, moved, report }: Copying, engine: OpenEngine): Promise<BothSums> {
  const [all, only] = [await countRows(source.engine), onlyRows(moved)]
  const copied = report.begin('Copying tables', 'rows', all)
  const sums = await copyTables({ source: source.engine, target: engine, only, progress: copied })
  const compared = report.begin('Comparing tables', 'rows', all)
  return { source: sums, target: await sumTables(engine, { only, progress: compared }) }
}

async function moveEvents({ source, target, report }: Copying, { fill, isComplete }: TargetEvents): Promise<BothSums> {
  const { config, takenPlaces, state } = source
  const walk = await openWalk(config, { owners: 'current', takenPlaces })
  let sums: WrittenSums
  let all: number
  try {
    all = await countMoved(walk)
    const copied = report.begin(isComplete ? 'Reading events' : 'Copying events', 'rows', all)
    sums = isComplete ? await sumEvents(walk, copied) : await copyEvents(walk, fill, state, copied)
  } finally {
    await walk.close()
    await fill.close()
  }
  const copy = await openWalk(target, { owners: 'stored', takenPlaces: new Map() })
  try {
    return { source: sums, target: await sumEvents(copy, report.begin('Comparing events', 'rows', all)) }
  } finally {
    await copy.close()
  }
}

/** Whatever was opened is closed at the end, the last first. */
type Closing = (() => Promise<void> | void)[]

async function openTargets({ source, target, moved }: Copying, closing: Closing) {
  const engine = moved.sql ? await openTargetSql(target, source) : null
  if (engine !== null) closing.push(() => engine.close())
  const events = moved.events ? await openTargetEvents(target, source) : null
  if (events !== null) closing.push(() => events.fill.close())
  const blobs = moved.blobs ? await openTargetBlobs(target, source, moved.sql) : null
  return { engine, events, blobs }
}

/** All is the same: from now on a server may start on it. */
async function complete(copying: Copying, engine: OpenEngine | null): Promise<void> {
  const { source, target, moved } = copying
  const { id, starts } = source.installation
  if (moved.blobs) await (await openTargetBlobs(target, source, moved.sql)).setStamp({ id, reached: starts })
  if (moved.events) {
    const { fill } = await openTargetEvents(target, source)
    try {
      await fill.finish({ id, reached: source.applied })
    } finally {
      await fill.close()
    }
  }
  if (engine !== null) await forgetSource(engine)
}

async function move(copying: Copying, closing: Closing): Promise<CopyOutcome> {
  const { source, report } = copying
  const { engine, events, blobs } = await openTargets(copying, closing)
  const both: BothSums[] = []
  let missingBlocks = 0
  if (engine !== null) both.push(await moveSql(copying, engine))
  if (events !== null) both.push(await moveEvents(copying, events))
  if (blobs !== null) {
    const all = await countBytes(source.engine)
    const copied = report.begin('Copying recordings', 'bytes', all)
    const { sums, missing } = await copyBlobs(source.engine, source.blobs, blobs, copied)
    const compared = report.begin('Comparing recordings', 'bytes', all)
    both.push({ source: sums, target: await sumBlobs(source.engine, blobs, missing, compared) })
    missingBlocks = missing.size
  }
  const compared = both.flatMap((sums) => compareSums(sums.source, sums.target))
  if (compared.every(({ isSame }) => isSame)) await complete(copying, engine)
  return { compared, missingBlocks }
}

function lock(folders: string[]): Closing {
  const closing: Closing = []
  try {
    for (const folder of new Set(folders.map((path) => resolve(path)))) {
      prepareFolder(folder)
      closing.push(lockFolder(folder))
    }
    return closing
  } catch (error) {
    for (const unlock of closing) void unlock()
    throw error
  }
}

const usesFolder = ({ sqlUrl, eventsUrl, blobsUrl }: AllStoresConfig, moved: Moved): boolean =>
  (moved.sql && sqlUrl === null) || (moved.events && eventsUrl === null) || (moved.blobs && blobsUrl === null)

/** `target`: what the settings will say of the stores that are moved. */
export async function copyStores(
  from: AllStoresConfig,
  target: AllStoresConfig,
  moved: Moved,
  report: CopyReport,
): Promise<CopyOutcome> {
  const closing = lock([from.dataDir, ...(usesFolder(target, moved) ? [target.dataDir] : [])])
  try {
    const source = await openSource(from, moved.events ? report.say : null)
    closing.push(() => source.close())
    return await move({ source, target, moved, report }, closing)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
