/** Structured logs on standard error; standard output is for the results of commands. */
import { type Logger, pino } from 'pino'

const REDACTED = ['authorization', 'cookie', 'password', 'secret', 'token', 'value', 'api_key', '*.authorization']

export const createLogger = (level: string): Logger =>
  pino(
    { level, base: null, redact: { paths: REDACTED, censor: '[redacted]' } },
    pino.destination({ dest: 2, sync: false }),
  )
