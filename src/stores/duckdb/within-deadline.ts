/**
 * Statements that end in time. One that is under way when the deadline is over is interrupted, later ones are refused;
 * what it left on the connection goes, so that the next user finds it as it was.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Deadline } from '../../lib/time/deadline.ts'

/** The engine forgets an interruption that comes just before a statement begins, so it is repeated. */
const AGAIN_MS = 20

/** From the end of the deadline until what is given back is called. */
function interruptAt(deadline: Deadline, connection: DuckDBConnection): () => void {
  let again: NodeJS.Timeout | undefined
  const stop = deadline.whenOver(() => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), AGAIN_MS)
  })
  return () => {
    stop()
    clearInterval(again)
  }
}

/** The connection, whose statements end with the deadline; all that reads is made of `run`. */
function timed(connection: DuckDBConnection, deadline: Deadline): DuckDBConnection {
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

/** Whoever made a table for its answer could not remove it any more. */
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
    return await work(timed(connection, deadline))
  } catch (error) {
    if (!deadline.isOver) throw error
    await dropTemporary(connection)
    throw deadline.error
  }
}
