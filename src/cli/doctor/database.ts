/** What `hedgerow doctor` says of a SQL store on a server of its own. */
import type { SqlReport } from '../../stores/open.ts'
import type { Finding } from './finding.ts'

/** Sessions, leases and reports go by our clock; whoever compares times in the database would be misled by more. */
const CLOCK_WARNS_MS = 2_000

const seconds = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(2)} s`

function usable({ problem, version, encoding, collation, role, schema, roundTripMs }: SqlReport): Finding {
  if (problem !== null) return { state: 'fail', words: problem }
  const rights = `${role} may create tables in ${schema}`
  const words = `PostgreSQL ${version}, ${encoding}, collation ${collation}; ${rights}; it answers in ${roundTripMs.toFixed(1)} ms`
  return { state: 'ok', words }
}

function room({ connections: { left, ours, most } }: SqlReport): Finding {
  const said = `${left} are left, and we have ${ours} of at most ${most}`
  if (left >= most - ours) return { state: 'ok', words: said }
  return { state: 'warn', words: `${said}. Raise max_connections there, or set a smaller pool in HEDGEROW_SQL_URL.` }
}

function clockOf({ clockAheadMs }: SqlReport): Finding {
  const said = `its clock is ${seconds(clockAheadMs)} ${clockAheadMs < 0 ? 'behind' : 'ahead of'} ours`
  if (Math.abs(clockAheadMs) < CLOCK_WARNS_MS) return { state: 'ok', words: said }
  return { state: 'warn', words: `${said}. Set the clocks of both machines, as by NTP.` }
}

/** By name. */
export const databaseFindings = (report: SqlReport): Record<string, Finding> => ({
  database: usable(report),
  'db pool': room(report),
  'db clock': clockOf(report),
})
