/** Preloaded into a server: it dies as soon as a transaction that added to the table KILL_AFTER is committed. */
const Database = require('better-sqlite3')

const { prepare } = Database.prototype
const insert = `insert into "${process.env.KILL_AFTER}"`
let hasAdded = false

Database.prototype.prepare = function (text) {
  const statement = prepare.call(this, text)
  const after = text.startsWith(insert)
    ? () => {
        hasAdded = true
      }
    : text === 'commit'
      ? () => hasAdded && process.kill(process.pid, 'SIGKILL')
      : null
  if (!after) return statement
  for (const name of ['run', 'all', 'get']) {
    const method = statement[name]
    statement[name] = function (...values) {
      const result = method.apply(this, values)
      after()
      return result
    }
  }
  return statement
}
