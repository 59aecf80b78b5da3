/**
 * A temporary folder for servers that tests start, and ports for them. A small shell waits beside each folder for this
 * process to end, however it ends: it then ends the servers whose process ids are in it and removes it.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const END_SERVERS = `
  for file in "$1"/server.pid "$1"/*/server.pid; do
    if read -r pid < "$file"; then
      kill "-$2" "$pid"
      for try in $(seq 100); do kill -0 "$pid" || break; sleep 0.1; done
    fi
  done`

const WAIT_FOR_OTHERS = `
  for try in $(seq 600); do find "$1" -name server.pid | grep -q . || break; sleep 0.1; done`

export interface ServerFolder {
  path: string
  /** With the server in it and those in folders of it. Also done when this process has ended. */
  remove(): Promise<void>
}

interface FolderOptions {
  /** What its name begins with. */
  prefix: string
  /** Inside another one, it goes with that, too. */
  inside?: string
  /** Who removes it. */
  uid?: number
  gid?: number
}

interface ServerFolderOptions extends FolderOptions {
  /** What ends a server at once. */
  signal: 'QUIT' | 'KILL'
}

/** A server writes its process id to `server.pid` in it, or in a folder of it. */
export const makeServerFolder = ({ signal, ...options }: ServerFolderOptions): ServerFolder =>
  makeFolder(options, END_SERVERS, signal)

/** Removed when those for servers in it have ended theirs. */
export const makeOuterFolder = (options: FolderOptions): ServerFolder => makeFolder(options, WAIT_FOR_OTHERS)

/** `first`: what the shell does before it removes the folder, with its path and `more` as arguments. */
function makeFolder({ prefix, inside = tmpdir(), ...account }: FolderOptions, first: string, more = ''): ServerFolder {
  const path = mkdtempSync(join(inside, prefix))
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  // Not stopped by Ctrl+C before the tests are.
  const options = { ...account, cwd: '/', env, detached: true }
  const guard = `while read -r line; do :; done\n${first}\nrm -rf "$1" || { sleep 1; rm -rf "$1"; }`
  const shell = spawn('sh', ['-c', guard, 'sh', path, more], { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  const remove = async () => {
    if (shell.exitCode !== null || shell.signalCode !== null) return
    shell.ref()
    const ended = once(shell, 'exit')
    shell.stdin.end()
    await ended
  }
  return { path, remove }
}

/** Below those that the system hands out to connections, so that a server that was killed finds it free again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false))
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
    })
    if (isFree) return port
  }
}
