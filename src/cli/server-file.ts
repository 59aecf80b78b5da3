/**
 * `server.json` in the data folder: where the running server can be asked, readable by the folder's owner only. Written
 * when the server listens, removed when it ends in order; after a crash it names a server that does not answer.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { hostUrl } from '../lib/net/host-url.ts'

export interface ServerFile {
  pid: number
  /** Reachable from this machine, whatever the server listens on. */
  url: string
  /** Opens /_status. */
  token: string
}

const pathIn = (dataDir: string): string => join(dataDir, 'server.json')

const ANYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export function localUrl({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  return hostUrl(ANYWHERE[address] ?? address, port)
}

/** Returns what removes it. */
export function writeServerFile(dataDir: string, server: ServerFile): () => void {
  const path = pathIn(dataDir)
  // Not what another process left behind: its mode would stay.
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify(server)}\n`, { mode: 0o600 })
  return () => rmSync(path, { force: true })
}

/** Null when there is none, or it cannot be read. */
export function readServerFile(dataDir: string): ServerFile | null {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as ServerFile
  } catch {
    return null
  }
}
