/** Asks the server that runs on a data folder for its own view: its settings may differ from those of this shell. */
import type { ServerStatus } from '../../features/system/system.feature.ts'
import { SECOND } from '../../lib/time/time.ts'
import { readServerFile } from '../server-file.ts'

/** It tries the mail server meanwhile, which may take its time. */
const PATIENCE = 30 * SECOND

export type Asked =
  | { kind: 'running'; status: ServerStatus }
  /** There is one, as far as is known, and it does not answer. */
  | { kind: 'silent'; reason: string }
  | { kind: 'none' }

/** Nobody listens there: what the file names has ended. */
const isGone = (error: unknown): boolean => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED'

export async function askServer(dataDir: string): Promise<Asked> {
  const server = readServerFile(dataDir)
  if (server === null) return { kind: 'none' }
  const { url, token, pid } = server
  try {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/_status`, { headers, signal: AbortSignal.timeout(PATIENCE) })
    if (answer.ok) return { kind: 'running', status: (await answer.json()) as ServerStatus }
    return { kind: 'silent', reason: `process ${pid} at ${url} answers ${answer.status}` }
  } catch (error) {
    if (isGone(error)) return { kind: 'none' }
    return { kind: 'silent', reason: `process ${pid} at ${url} does not answer (${(error as Error).message})` }
  }
}
