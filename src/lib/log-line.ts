/**
 * A log line for people: time, level, what happened, then what belongs to it; the stack of an error on lines of its own.
 * What others have sent is escaped, because terminals obey control characters.
 */
import { escapeControlCharacters } from './text/control-characters.ts'

const LEVELS: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

const shown = (value: unknown): string =>
  escapeControlCharacters(typeof value === 'string' && /^\S+$/.test(value) ? value : (JSON.stringify(value) ?? ''))

function stackLines(err: unknown): string[] {
  const { stack, message, ...more } = (typeof err === 'object' && err !== null ? err : { message: err }) as {
    stack?: unknown
    message?: unknown
    type?: unknown
  }
  const lines = String(stack ?? message).split('\n')
  const { type: _, ...fields } = more
  const rest = Object.keys(fields).length > 0 ? [shown(fields)] : []
  return [...lines, ...rest].map((line) => `    ${escapeControlCharacters(line).trim()}\n`)
}

/** From a line of pino's JSON; a line that is none stays as it is. */
export function prettyLine(json: string): string {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(json) as Record<string, unknown>
  } catch {
    return json
  }
  const { time, level, msg, err, ...fields } = entry
  const when = new Date(Number(time)).toISOString().replace('T', ' ')
  const rest = Object.entries(fields).map(([name, value]) => `${escapeControlCharacters(name)}=${shown(value)}`)
  const words = escapeControlCharacters(String(msg ?? ''))
  const first = [when, (LEVELS[Number(level)] ?? String(level)).padEnd(5), words, ...rest].join(' ')
  return [`${first}\n`, ...(err === undefined ? [] : stackLines(err))].join('')
}
