/**
 * Statements with a deadline. One that is running when the deadline is over is interrupted, later ones are refused; its
 * temporary tables are dropped, so that the next user finds the connection unchanged.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Deadline } from '../../lib/time/deadline.ts'

/** The engine ignores an interrupt that comes just before a statement begins, so it is repeated. */
const REPEAT_MS = 20

/** Interrupts from the end of the deadline until the returned function is called. */
function interruptAt(deadline: Deadline, connection: DuckDBConnection): () => void {
  let again: NodeJS.Timeout | undefined
  const stop = deadline.whenOver(() => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), REPEAT_MS)
  })
  return () => {
    stop()
    clearInterval(again)
  }
}

/** The connection with a deadline on its statements; all reading methods are built on `run`. */
function connectionWithDeadline(connection: DuckDBConnection, deadline: Deadline): DuckDBConnection {
  const run: DuckDBConnection['run'] = async (...statement) => {
    deadline.check()
    const stop = interruptAt(deadline, connection)
    try {
      return await connection.run(...statement)
    } finally {
      stop()
    }
  }
  return Object.create(connection, { run: { value: run } }) as DuckDBConnection
}

/** The reader that made a temporary table cannot drop it itself after the deadline. */
async function dropTemporary(connection: DuckDBConnection): Promise<void> {
  const found = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() WHERE temporary')
  for (const [name] of found.getRows()) await connection.run(`DROP TABLE temp."${name}"`)
}

export async function withinDeadline<T>(
  connection: DuckDBConnection,
  deadline: Deadline,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connectionWithDeadline(connection, deadline))
  } catch (error) {
    if (!deadline.isOver) throw error
    // The reader could not end its transaction itself either.
    await connection.run('ROLLBACK').catch(() => undefined)
    await dropTemporary(connection)
    throw deadline.error
  }
}
