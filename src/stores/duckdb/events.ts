/**
 * The event store on DuckDB, embedded: one file, one process. Promises what `EventStore` says; reads run
 * beside writes and see whole batches only. Methods stand in the order of the port.
 */
import type { EventStore } from '../../model/event.ts'
import { applyBatches } from './apply.ts'
import { compact } from './compact.ts'
import { erase, forgetErased, noteRemoval, removeBefore } from './erase.ts'
import { dataVersion, earliestEventAt } from './insights/data-version.ts'
import { funnel } from './insights/funnel.ts'
import { lifecycle } from './insights/lifecycle.ts'
import { retention } from './insights/retention.ts'
import { trend } from './insights/trend.ts'
import { eventNames, eventValues, propertyNames } from './listing/definitions.ts'
import { findEvent, listEvents } from './listing/event-list.ts'
import { int } from './literal.ts'
import { firstEventAt, timeline } from './moments.ts'
import { openDatabase } from './open.ts'
import { personOf } from './people.ts'
import { LIMITS, type Limits, type Parts, readProgress } from './progress.ts'
import { migrateSchema, PROJECT_TABLES } from './schema.ts'
import { sessionEvents, sessionsWith } from './sessions/session-search.ts'
import { sessionValues } from './sessions/sessions.ts'
import { forgetBatches, highestSeq, readStamp, writeStamp } from './stamp.ts'

async function openParts(path: string, limits: Limits): Promise<Parts> {
  const database = await openDatabase(path)
  try {
    await migrateSchema(database, path)
    return { database, progress: await readProgress(database), limits, removals: 0 }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** `path` is a file, made when missing, or ':memory:'. */
export async function openDuckdbEvents(path: string, limits: Limits = LIMITS): Promise<EventStore> {
  const parts = await openParts(path, limits)
  const { database } = parts

  return {
    apply: (batches, now) => applyBatches(parts, batches, now),
    forgetBatches: (appliedBefore) => forgetBatches(parts, appliedBefore),
    stamp: () => readStamp(parts),
    setStamp: (stamp) => writeStamp(parts, stamp),
    highestSeq: () => highestSeq(parts),
    personOf: (projectId, distinctId) => personOf(parts, projectId, distinctId),
    timeline: (query) => timeline(parts, query),
    firstEventAt: (projectId, distinctIds) => firstEventAt(parts, projectId, distinctIds),
    sessionValues: (query) => sessionValues(parts, query),
    sessionEvents: (projectId, sessionId, selectors) => sessionEvents(parts, projectId, sessionId, selectors),
    sessionsWith: (projectId, selector, from, to) => sessionsWith(parts, projectId, selector, { from, to }),
    listEvents: (projectId, filter, request) => listEvents(parts, projectId, filter, request),
    findEvent: (projectId, uuid) => findEvent(parts, projectId, uuid),
    eventValues: (query) => eventValues(parts, query),
    eventNames: (query) => eventNames(parts, query),
    propertyNames: (query) => propertyNames(parts, query),
    async countEvents(projectId) {
      const sql = `SELECT count(*) FROM events WHERE project_id = ${int(projectId)}`
      const found = await database.read((connection) => connection.runAndReadAll(sql))
      return Number(found.getRows()[0]?.[0])
    },
    async removeProject(projectId) {
      await database.write(
        async (connection) => {
          for (const table of PROJECT_TABLES) {
            await connection.run(`DELETE FROM ${table} WHERE project_id = ${int(projectId)}`)
          }
          await noteRemoval(connection)
        },
        () => {
          parts.removals += 1
        },
      )
    },
    erase: (requests) => erase(parts, requests),
    removeBefore: (projectId, before) => removeBefore(parts, projectId, before),
    forgetErased: (except) => forgetErased(parts, except),
    compact: (signal) => compact(parts, signal),
    async ping() {
      await database.read((connection) => connection.run('SELECT 1'))
    },
    close: () => database.close(),
    trend: (question) => trend(parts, question),
    funnel: (question) => funnel(parts, question),
    retention: (question) => retention(parts, question),
    lifecycle: (question) => lifecycle(parts, question),
    earliestEventAt: (projectId) => earliestEventAt(parts, projectId),
    dataVersion: (projectId) => dataVersion(parts, projectId),
  }
}
