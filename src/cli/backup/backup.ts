/**
 * `hedgerow backup DIR`: a copy of all stores as of one moment, in a new folder. A running server has the stores open,
 * so it gets a job and writes the folder itself; without one this process does it.
 */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { FolderInUse, OperatorError } from '../../lib/errors.ts'
import { createLogger } from '../../lib/logger.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { formatInstant, MINUTE, SECOND } from '../../lib/time/time.ts'
import type { Backup } from '../../model/backup.ts'
import { MAKE_BACKUP } from '../../model/job.ts'
import type { SqlStores } from '../../model/stores.ts'
import { readManifest, refuseUnusable } from '../../stores/backup/backup-folder.ts'
import { isFolderLocked } from '../../stores/data-folder.ts'
import { openStores, refuseBackups } from '../../stores/open.ts'
import { onlyArgument } from '../arguments.ts'
import { quietParts, withSql } from '../with-sql.ts'

const POLL_EVERY = SECOND / 4
/** A running server looks for work every second. */
const MAX_WAIT_TO_BEGIN = MINUTE

async function makeHere(config: Config, folder: string): Promise<Backup> {
  const stores = await openStores(config, quietParts(createLogger(config)))
  const stop = new AbortController()
  const abort = () => stop.abort(new OperatorError('Interrupted; nothing of the backup is left.'))
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  try {
    return await stores.backUp(folder, stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    await stores.close()
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
  }
}

/** Removes jobs of backups that were not made; the next one tells its own story. */
const forgetFailed = ({ transaction }: SqlStores): Promise<void> => {
  const now = systemClock.now()
  return transaction((tx) => tx.jobs.supersede(MAKE_BACKUP, now + 1, now))
}

async function waitFor(stores: SqlStores, { dataDir }: Config, key: string): Promise<void> {
  const since = systemClock.steady()
  for (;;) {
    await sleep(POLL_EVERY)
    const job = await stores.jobs.find(MAKE_BACKUP, key)
    if (job === null) return
    if ('parkedAt' in job) {
      await forgetFailed(stores)
      throw new OperatorError(`The server could not do it: ${job.error}`)
    }
    if (!isFolderLocked(dataDir) && (await stores.jobs.find(MAKE_BACKUP, key)) !== null) {
      await forgetFailed(stores)
      throw new OperatorError('The server ended before the backup was complete.')
    }
    if (job.attempts === 0 && systemClock.steady() - since > MAX_WAIT_TO_BEGIN) {
      await forgetFailed(stores)
      throw new OperatorError('The running server does not begin with it. Is it of an earlier version? Restart it.')
    }
  }
}

async function askServer(stores: SqlStores, config: Config, folder: string): Promise<Backup> {
  const now = systemClock.now()
  const key = `${folder}@${formatInstant(now)}`
  await stores.transaction((tx) =>
    tx.jobs.add({ kind: MAKE_BACKUP, key, projectId: null, payload: { folder }, runAt: now }),
  )
  process.stdout.write('The running server has been asked.\n')
  await waitFor(stores, config, key)
  return readManifest(folder)
}

/** As the backup and its restore are reported. */
export function describeBackup({ madeAt, version, files, bytes, rows: { sql, events } }: Backup): string {
  const size = `${files} files, ${(bytes / 1e6).toFixed(1)} MB`
  return `the data of ${madeAt}, Hedgerow ${version}: ${size}; ${events.events} events, ${sql.persons} persons, ${sql.recordings} recordings`
}

export async function backup(args: string[], config: Config): Promise<void> {
  refuseBackups(config)
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const folder = resolve(onlyArgument(positionals, 'backup needs the folder to write to, one that does not exist yet.'))
  await withSql(config, async (stores) => {
    refuseUnusable(config.dataDir, folder)
    await forgetFailed(stores)
    let made: Backup
    try {
      made = await makeHere(config, folder)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      made = await askServer(stores, config, folder)
    }
    process.stdout.write(`Complete in ${folder}: ${describeBackup(made)}.\n`)
  })
}
