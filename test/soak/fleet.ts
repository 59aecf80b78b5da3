/** Servers on the same stores, each of which may be killed and started again, and requests that go to them in turn. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Outages } from './outages.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/start.cjs', import.meta.url))
const KEY = 'phx_soak_key_0123456789abcdef'
export const TOKEN = 'phc_soak_token_0123456789abcdef'
const READY_MS = 120_000
/** No answer by then is none. */
const ANSWER_MS = 60_000

interface Server {
  child: ChildProcess
  /** Null: it does not listen yet, or no longer. */
  url: string | null
}

export interface Asked {
  /** 0: none came. */
  status: number
  text: string
}

export class Fleet {
  /** For each kind of request. */
  readonly outages = new Outages()
  readonly #folder = mkdtempSync(join(tmpdir(), 'hedgerow-soak-'))
  readonly #env: Record<string, string>
  readonly #servers: Server[] = []
  /** By index: there is at most one attempt for each. */
  readonly #starting = new Map<number, Promise<void>>()
  #turn = 0

  constructor(settings: Record<string, string>) {
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEDGEROW_')))
    this.#env = {
      ...(own as Record<string, string>),
      HEDGEROW_API_KEY: KEY,
      HEDGEROW_PROJECT_TOKEN: TOKEN,
      HEDGEROW_PORT: '0',
      ...settings,
    }
  }

  #environment(index: number): Record<string, string> {
    return { ...this.#env, HEDGEROW_DATA_DIR: join(this.#folder, `${index}`) }
  }

  /** Starts the server, also one that was killed, and waits until it listens; false when it does not start. */
  async start(index: number): Promise<boolean> {
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: this.#environment(index),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const server: Server = { child, url: null }
    this.#servers[index] = server
    let said = ''
    child.stderr.on('data', (part) => {
      said = `${said}${part}`.slice(-2_000)
    })
    const listening = new Promise<boolean>((resolve) => {
      child.stdout.on('data', (part) => {
        const [, url] = /listening on (http:\S+)\n/.exec(String(part)) ?? []
        if (url === undefined) return
        server.url = url
        resolve(true)
      })
      child.once('exit', (code) => {
        server.url = null
        if (code !== null && code !== 0) console.log(`  server ${index} ended with ${code}: ${said.trim()}`)
        resolve(false)
      })
      setTimeout(resolve, READY_MS, false).unref()
    })
    return listening
  }

  /** One that an engine kept from starting, or that was killed meanwhile, is started again. */
  startUntilUp(index: number, signal: AbortSignal): Promise<void> {
    const starting =
      this.#starting.get(index) ?? this.#startUntilUp(index, signal).finally(() => this.#starting.delete(index))
    this.#starting.set(index, starting)
    return starting
  }

  async #startUntilUp(index: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.start(index))) await this.kill(index)
  }

  /** Resolves when none is being started. */
  async started(): Promise<void> {
    await Promise.all(this.#starting.values())
  }

  async kill(index: number): Promise<void> {
    const server = this.#servers[index]
    if (!server) return
    server.url = null
    if (server.child.exitCode !== null || server.child.signalCode !== null) return
    const ended = once(server.child, 'exit')
    server.child.kill('SIGKILL')
    await ended
  }

  /** A command, as the server's own user would run it; returns its exit code. */
  async command(args: string[]): Promise<number | null> {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: this.#environment(0), stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code as number | null
  }

  /** The next server that listens is asked; `kind` is what outages are counted by. */
  async ask(kind: string, method: string, path: string, body?: unknown): Promise<Asked> {
    const up = this.#servers.filter(({ url }) => url !== null)
    const server = up[this.#turn++ % Math.max(1, up.length)]
    const asked = server?.url ? await answerOf(`${server.url}${path}`, method, body) : { status: 0, text: '' }
    this.outages.note(kind, asked.status, asked.text)
    return asked
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((_, index) => this.kill(index)))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function answerOf(url: string, method: string, body: unknown): Promise<Asked> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  try {
    const answer = await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return { status: answer.status, text: await answer.text() }
  } catch {
    // Its server was killed, or is not there.
    return { status: 0, text: '' }
  }
}
