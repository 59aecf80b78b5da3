/**
 * Statements that only the engine's own threads compute. By default the thread that hands in a statement takes part in
 * it, which for an asynchronous one is a thread of libuv's, at normal priority and needed for the files of capture.
 * Here it prepares the statement and takes the result; in between a timer asks whether the engine has finished.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPendingResult } from '@duckdb/node-api'
import duckdb, { type PendingResult } from '@duckdb/node-bindings'

/** So long it is asked in every turn of the event loop: most statements take no longer. */
const EVERY_TURN_MS = 2
/** Later, the pause between two looks: a part of the time that the statement has taken, so that little is added to it. */
const PART = 1 / 20
const SHORTEST_MS = 1
const LONGEST_MS = 20

function pause(passedMs: number): Promise<unknown> {
  if (passedMs < EVERY_TURN_MS) return nextTurn()
  return sleep(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, passedMs * PART)))
}

/**
 * Looks in a row that find the statement blocked, after which it is handed to libuv's threads after all: they wait for
 * whatever it is that blocks it.
 */
const MOST_BLOCKED = 100

async function finished(pending: DuckDBPendingResult): Promise<void> {
  const native = Reflect.get(pending, 'pending_result') as PendingResult
  const { ERROR, RESULT_READY } = duckdb.PendingState
  const begun = performance.now()
  for (let blocked = 0; blocked < MOST_BLOCKED; ) {
    const state = duckdb.pending_execute_check_state(native)
    // A result that is complete, not a stream, has no state of its own and counts as this one. What follows tells.
    if (state === ERROR) return
    const passedMs = performance.now() - begun
    // Of a result that is not a stream this says that parts of the statement wait for other parts.
    blocked = state === RESULT_READY && passedMs >= EVERY_TURN_MS ? blocked + 1 : 0
    await pause(passedMs)
  }
}

/** How the engine tells of a statement that had failed before its result was asked for. */
const FAILED_BEFORE =
  /^Invalid Input Error: Attempting to execute an unsuccessful or closed pending query result\s+Error: /

/** The same error, told as that of a statement whose result was waited for. */
const plainError = (error: unknown): unknown =>
  error instanceof Error && FAILED_BEFORE.test(error.message)
    ? new Error(error.message.replace(FAILED_BEFORE, ''), { cause: error })
    : error

/** The connection with its statements in the background; all reading methods are built on `run`. */
export function inBackground(connection: DuckDBConnection): DuckDBConnection {
  const run: DuckDBConnection['run'] = async (...statement) => {
    const pending = await connection.start(...statement)
    await finished(pending)
    try {
      return (await pending.getResult()) as DuckDBMaterializedResult
    } catch (error) {
      throw plainError(error)
    }
  }
  return Object.create(connection, { run: { value: run } }) as DuckDBConnection
}
