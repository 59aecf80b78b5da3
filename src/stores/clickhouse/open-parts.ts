/** Connects to the servers, makes the tables that are missing, and returns what every part of the store works with. */
import { OperatorError, StoreUnavailable } from '../../lib/errors.ts'
import type { PresenceParts } from '../presence-parts.ts'
import { LIMITS, type Limits, type Parts, partsOf } from './parts.ts'
import { migrateSchema } from './schema.ts'
import { connect, type Servers } from './server/client.ts'
import { failureOf } from './server/failures.ts'
import { readClickhouseUrl } from './server/read-url.ts'

/** Throws a sentence for the operator when the servers cannot be used. */
async function prepare(servers: Servers): Promise<void> {
  try {
    await servers.replicas.survey((sql) => servers.rows(sql))
    await migrateSchema(servers)
  } catch (error) {
    await servers.close()
    if (error instanceof OperatorError) throw error
    const { words } = failureOf(error instanceof StoreUnavailable ? error.cause : error)
    throw new OperatorError(`The event store on ClickHouse cannot be used: ${words}.`, error)
  }
}

export async function openParts(url: string, limits: Limits = LIMITS, presence?: PresenceParts): Promise<Parts> {
  const servers = await connect(readClickhouseUrl(url), presence)
  await prepare(servers)
  return partsOf(servers, limits)
}
