/**
 * Preloaded into a server: it dies as soon as a transaction that added to the table KILL_AFTER is committed, in SQLite or
 * in PostgreSQL.
 */
const Database = require('better-sqlite3')
const { Client } = require('pg')

const insert = `insert into "${process.env.KILL_AFTER}"`
/** The connections whose transaction has added to it. */
const haveAdded = new WeakSet()

/** What to do after a statement, if anything. */
function after(text, connection) {
  if (text.startsWith(insert)) return () => haveAdded.add(connection)
  return text === 'commit' ? () => haveAdded.has(connection) && process.kill(process.pid, 'SIGKILL') : null
}

const { prepare } = Database.prototype

Database.prototype.prepare = function (text) {
  const statement = prepare.call(this, text)
  const next = after(text, this)
  if (!next) return statement
  for (const name of ['run', 'all', 'get']) {
    const method = statement[name]
    statement[name] = function (...values) {
      const result = method.apply(this, values)
      next()
      return result
    }
  }
  return statement
}

const { query } = Client.prototype

Client.prototype.query = function (asked, ...more) {
  const answer = query.call(this, asked, ...more)
  const next = after(typeof asked === 'string' ? asked : String(asked?.text), this)
  if (!next) return answer
  return answer.then((result) => {
    next()
    return result
  })
}
