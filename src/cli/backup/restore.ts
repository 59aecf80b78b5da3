/**
 * `hedgerow restore DIR`: puts the stores of a backup into the place of those in the data folder, which are moved aside.
 * The backup is copied and checked first; until that, and what was deleted since, is done, nothing is replaced. Refuses
 * while a server runs.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { NOTIFY_DISABLED } from '../../features/deliveries/disable-subscription.ts'
import { DELIVER } from '../../features/deliveries/new-delivery.ts'
import { createPersonRemoval } from '../../features/persons/removal/person-removal.ts'
import { free } from '../../features/recordings/erase-recordings.ts'
import { FolderInUse, OperatorError } from '../../lib/errors.ts'
import { createLogger } from '../../lib/logger.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { clockHold, describeHold, nextClockState } from '../../lib/time/clock-trust.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Backup } from '../../model/backup.ts'
import type { LaterChanges } from '../../model/later-changes.ts'
import type { Stores } from '../../model/stores.ts'
import { noteRestored, type RedoParts, redoErasures } from '../../rules/erasure/redo-erasures.ts'
import { readManifest } from '../../stores/backup/backup-folder.ts'
import { applyLaterChanges, noteRestore } from '../../stores/backup/later-changes.ts'
import { clearStaging, finishRestore, putInPlace } from '../../stores/backup/put-in-place.ts'
import { copyBackup } from '../../stores/backup/restore-files.ts'
import { lockFolder, prepareFolder } from '../../stores/data-folder.ts'
import { openStores, refuseBackups } from '../../stores/open.ts'
import { onlyArgument } from '../arguments.ts'
import { quietParts } from '../with-sql.ts'
import { describeBackup } from './backup.ts'
import { describeLaterChanges } from './later-changes.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

function lock(dataDir: string): () => void {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new OperatorError(`A server uses the data folder ${dataDir}. Stop it, then restore.`, error)
  }
}

function redoParts(stores: Stores, now: number): RedoParts {
  const parts = { stores, clock: systemClock, failed: () => {} }
  const removal = createPersonRemoval({ ...parts, deleteRecordings: async (_, persons) => persons.map(() => 0) })
  return {
    stores,
    now,
    freeRecording: (place) => free(parts, place),
    async removePersons(actor, uuids, options) {
      const ids = uuids.map((uuid) => ({ given: uuid, ref: { uuid } }))
      await removal.removeMany(actor, { ids }, { ...options, deleteRecordings: false })
    },
  }
}

/** Null: nothing to compare with. */
async function redo(stores: Stores, later: LaterChanges | null, madeAt: string): Promise<void> {
  const now = systemClock.now()
  if (later) await redoErasures(redoParts(stores, now), later)
  await noteRestored(stores, madeAt, now)
}

async function describeClock({ clockState }: Stores): Promise<string | null> {
  const state = await clockState.find()
  const now = systemClock.now()
  const hold = state && clockHold(nextClockState(state, { now, elapsed: 0 }))
  return hold ? `The clock says ${formatInstant(now)}, ${describeHold(hold)}.` : null
}

interface Restore {
  backup: Backup
  folder: string
  /** Null: not to be compared with. */
  replaced: string | null
}

/** Prepares the stores in a folder of their own and opens them as a server would; says what was done again. */
async function prepare(config: Config, { backup, folder, replaced }: Restore): Promise<void> {
  const { dataDir } = config
  const staging = clearStaging(dataDir)
  try {
    await copyBackup(folder, staging, backup)
    const stores = await openStores({ ...config, dataDir: staging }, quietParts(createLogger(config)))
    try {
      const { madeAt } = backup
      const compared = { restored: staging, replaced: replaced ?? '', madeAt, sendingKinds: [DELIVER, NOTIFY_DISABLED] }
      const later = replaced === null ? null : applyLaterChanges(compared)
      await redo(stores, later, madeAt)
      for (const line of describeLaterChanges(later, replaced)) say(line)
      const clock = await describeClock(stores)
      if (clock !== null) say(clock)
    } finally {
      await stores.close()
    }
    noteRestore(staging, backup.madeAt)
  } catch (error) {
    clearStaging(dataDir)
    throw error
  }
}

export async function restore(args: string[], config: Config): Promise<void> {
  refuseBackups(config)
  const { values, positionals } = parseArgs({
    args,
    options: { replaces: { type: 'string' }, 'ignore-replaced': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const folder = resolve(onlyArgument(positionals, 'restore needs the folder of a backup.'))
  if (values.replaces !== undefined && values['ignore-replaced']) {
    throw new OperatorError('restore takes --replaces or --ignore-replaced, not both.')
  }
  const backup = readManifest(folder)
  const { dataDir } = config
  prepareFolder(dataDir)
  const unlock = lock(dataDir)
  try {
    finishRestore(dataDir)
    const replaced = values['ignore-replaced'] ? null : resolve(values.replaces ?? dataDir)
    await prepare(config, { backup, folder, replaced })
    const aside = putInPlace(dataDir, formatInstant(systemClock.now()))
    say(`Restored into ${dataDir}: ${describeBackup(backup)}.`)
    if (aside !== null) say(`What was there before is in ${aside}. Remove it when it is not needed any more.`)
  } finally {
    unlock()
  }
}
