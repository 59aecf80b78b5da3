/**
 * Stores whose failures for lack of disk space are reported, and then refused as `unavailable`: such a request may be
 * repeated once there is room, and is no fault of the program.
 */
import { AppError } from '../lib/errors.ts'
import type { Stores } from '../model/stores.ts'

/** True when the error is that of a full disk. */
export type NoteFailure = (error: unknown) => boolean

const RETRY_SECONDS = 60

type Method = (...args: unknown[]) => Promise<unknown>

export function reportDiskFull(stores: Stores, note: NoteFailure): Stores {
  const refuse = (error: unknown): never => {
    if (error instanceof AppError || !note(error)) throw error
    const options = { retryAfterSeconds: RETRY_SECONDS, reason: 'disk_full', cause: error }
    throw new AppError('unavailable', 'unavailable', 'The disk of the server is full. Try again later.', options)
  }
  const each = <T extends object>(methods: T): T => {
    const entries = Object.entries(methods as Record<string, Method>)
    return Object.fromEntries(
      entries.map(([name, method]) => [name, (...args: unknown[]) => method(...args).catch(refuse)]),
    ) as T
  }
  return {
    ...stores,
    transaction: (work) => stores.transaction(work).catch(refuse),
    peopleTransaction: (projectIds, work) => stores.peopleTransaction(projectIds, work).catch(refuse),
    exclusiveTransaction: (projectIds, work) => stores.exclusiveTransaction(projectIds, work).catch(refuse),
    queueTransaction: (work) => stores.queueTransaction(work).catch(refuse),
    relaxed: (work) => stores.relaxed(work).catch(refuse),
    events: each(stores.events),
    blobs: each(stores.blobs),
  }
}
