/**
 * `hedgerow doctor [--json]`: checks what the server needs and its backlogs, and prints for each whether it is in order
 * and what to do if not. Changes nothing, works while the server runs, exits with 1 when something needs action.
 */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { escapeControlCharacters } from '../lib/text/control-characters.ts'
import { systemClock } from '../lib/time/clock.ts'
import { inspectStopped } from '../stores/inspect-stopped.ts'
import { inspectSql } from '../stores/open.ts'
import { type Asked, askServer } from './doctor/ask-server.ts'
import { checks, type DoctorParts, elsewhere } from './doctor/checks.ts'
import type { Finding } from './doctor/finding.ts'
import { printJson } from './print-list.ts'
import { withSql } from './with-sql.ts'

type Named = Finding & { name: string }

async function examine(parts: DoctorParts): Promise<Named[]> {
  const found: Named[] = []
  for (const [name, check] of Object.entries(checks(parts))) {
    const finding = await check().catch((error: Error): Finding => ({ state: 'fail', words: error.message }))
    found.push({ name, ...finding })
  }
  return found
}

/** The stores are looked into only when no server has them open. */
async function findings(config: Config, asked: Asked): Promise<Named[]> {
  const failed = (error: Error): Finding => ({ state: 'fail', words: error.message })
  const database = await inspectSql(config).catch(failed)
  const parts = { config, stores: null, now: systemClock.now(), asked, stopped: null, database }
  if ((await elsewhere(config)).state === 'fail') return examine(parts)
  // What cannot be used is not opened.
  if (database !== null && ('state' in database || database.problem !== null)) return examine(parts)
  let found: Named[] = []
  await withSql(config, async (stores, now) => {
    const stopped = asked.kind === 'running' ? null : await inspectStopped(config, stores)
    const isHeld = asked.kind === 'none' && stopped === null
    const silent: Asked = { kind: 'silent', reason: 'a process uses the data folder and has not said where it listens' }
    found = await examine({ ...parts, stores, now, stopped, asked: isHeld ? silent : asked })
  })
  return found
}

export async function doctor(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const asked = await askServer(config.dataDir)
  const found = await findings(config, asked)
  const isFine = found.every(({ state }) => state === 'ok')
  if (values.json) {
    const server = asked.kind === 'running' ? asked.status : null
    const report = { ok: isFine, findings: found.map(({ name, state, words }) => ({ name, state, words })), server }
    printJson(report)
  } else {
    for (const { name, state, words } of found) {
      process.stdout.write(`${state.padEnd(5)} ${name.padEnd(10)} ${escapeControlCharacters(words)}\n`)
    }
  }
  process.exitCode = isFine ? 0 : 1
}
