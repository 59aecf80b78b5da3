/**
 * Structured logs on standard error; standard output is for the results of commands. JSON is one object per line;
 * `pretty` is for people (log-line.ts), and the default on a terminal.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyLine } from './log-line.ts'

const REDACTED = ['authorization', 'cookie', 'password', 'secret', 'token', 'value', 'api_key', '*.authorization']

export interface LoggerOptions {
  logLevel: string
  /** Null: by whether standard error is a terminal. */
  logFormat: 'json' | 'pretty' | null
}

export function createLogger({ logLevel: level, logFormat }: LoggerOptions): Logger {
  const format = logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const lines: DestinationStream = pino.destination({ dest: 2, sync: false })
  const out = format === 'json' ? lines : { write: (line: string) => lines.write(prettyLine(line)) }
  return pino({ level, base: null, redact: { paths: REDACTED, censor: '[redacted]' } }, out)
}
