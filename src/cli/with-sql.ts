/**
 * Runs a command on the SQL store alone, which works while a server runs, and closes it afterwards. The store must
 * exist: a mistyped folder is an error and does not get an empty store. Only `serve` and `migrate` create a store.
 */
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { SqlStores } from '../model/stores.ts'
import { hasSql, type OpenParts, openSql } from '../stores/open.ts'

export async function withSql<T>(config: Config, work: (stores: SqlStores, now: number) => Promise<T>): Promise<T> {
  if (!(await hasSql(config))) {
    const [place, setting] =
      config.sqlUrl === null ? [config.dataDir, 'HEDGEROW_DATA_DIR'] : ['the database', 'HEDGEROW_SQL_URL']
    throw new OperatorError(
      `There is no store in ${place}. Is ${setting} right? "hedgerow serve" makes one where there is none.`,
    )
  }
  const sql = await openSql(config)
  try {
    return await work(sql.stores, systemClock.now())
  } finally {
    await sql.close()
  }
}

/** For a command that opens all stores without a server; what goes wrong with the event store is logged. */
export const quietParts = (logger: Logger): OpenParts => ({
  clock: systemClock,
  drainFailed: (err) => logger.error({ err }, 'the event store did not take a batch'),
  batchesParked: (batches, reason) => logger.error({ batches, reason }, 'the event store refuses part of a batch'),
  parkedDropped: ({ id }) => logger.warn({ id }, 'a parked batch that cannot be read was removed'),
  // It is said by the error that the command ends with.
  noteFailure: () => false,
  lossAccepted: null,
})

/** Commands that create something need the organisation and user of the first start. */
export async function requireFirstStart(stores: SqlStores): Promise<string> {
  const [organization] = await stores.users.listOrganizations()
  if (!organization) throw new OperatorError('The store is empty. Start the server once, then try again.')
  return organization.id
}
