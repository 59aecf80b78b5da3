/**
 * `hedgerow serve`: opens the stores, listens, prints what a new user needs, and on SIGTERM, SIGINT or SIGHUP finishes
 * the requests in progress and exits 0; a SIGHUP that was ignored at the start (nohup) stays ignored. Exits 1 when another
 * server has taken its place on the database.
 */
import { parseArgs } from 'node:util'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { addDemo } from '../demo/demo.ts'
import { rememberNothing } from '../http/route.ts'
import { OperatorError } from '../lib/errors.ts'
import { HeapGrowth } from '../lib/heap-growth.ts'
import { createLogger } from '../lib/logger.ts'
import { readSender } from '../lib/net/mail-address.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { Project } from '../model/accounts/project.ts'
import { FirstKey } from './first-key.ts'
import { isHangupIgnored } from './hangup.ts'
import { localUrl, writeServerFile } from './server-file.ts'
import { type WelcomeParts, welcome } from './welcome.ts'

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`Port ${port} on ${host} is in use. Set HEDGEROW_PORT to another one.`, cause)
    }
    throw new OperatorError(`Cannot listen on ${host} port ${port} (${code}).`, cause)
  }
}

/** A request to the replay path, as if it had come in. */
const replayCall = (body: unknown) => ({
  method: 'POST',
  params: {},
  query: {},
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  ip: () => '',
  hold: () => {},
  note: () => {},
})

const fillDemo = ({ stores, features }: App, { smtpUrl, mailFrom }: Config): Promise<Project> =>
  addDemo({
    stores,
    now: systemClock.now(),
    capture: (request) => features.capture.accept({ ...request, isPlain: false }),
    record: (body) => features.replay.accept(replayCall(body)),
    subscribe: (actor, body) => features.subscriptions.create(actor, body, rememberNothing),
    reportTo: smtpUrl === null ? null : (readSender(mailFrom ?? '')?.address ?? null),
    progress: (line) => void process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`),
  })

const POLL_MS = 1_000

/**
 * A SIGTERM to npm ends npm and its shell, which does not forward it: the server would be orphaned. `parent` is the
 * parent's pid, read at the start: the shell may be gone before the server listens.
 */
function stopWithShell(parent: number, stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined || parent === 1) return
  const poll = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(poll)
    stop()
  }, POLL_MS)
  poll.unref()
}

interface Stopping {
  /** The parent's pid at the start. */
  parent: number
  isHangupIgnored: boolean
  /** Removes what only a running server has in the data folder. */
  leave: () => void
}

interface Stopper {
  /** Closes the server and ends the process. */
  stop(why: string, code: number): void
  isStopping(): boolean
}

/** From here on these signals, and the end of the shell that started the server, close it and exit 0. */
function stopOnSignal(app: App, logger: Logger, { parent, isHangupIgnored, leave }: Stopping): Stopper {
  let stopping = false
  const stop = (signal: string, code = 0) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    leave()
    app.close().then(
      () => process.exit(code),
      (err) => {
        logger.error({ err }, 'the stop failed')
        process.exit(1)
      },
    )
  }
  // Not once(): without a shell in between, a Ctrl-C arrives from the terminal and again from npm.
  const onSignal = (signal: string) => stop(signal)
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (!isHangupIgnored) process.on('SIGHUP', onSignal)
  stopWithShell(parent, () => stop('SIGTERM'))
  return { stop, isStopping: () => stopping }
}

/** The key is shown only now, and its file goes only when it was printed. */
async function greet(parts: WelcomeParts, isStopping: () => boolean): Promise<void> {
  const isTerminal = process.stdout.isTTY === true
  try {
    const { text, showsKey } = await welcome(parts, isTerminal)
    process.stdout.write(text)
    if (showsKey) parts.firstKey.forget()
  } catch (error) {
    // The stores are closed by now.
    if (!isStopping()) throw error
  }
}

/** Tells the commands of this machine where the server is; returns what ends that. */
function introduce({ server, features }: App, { dataDir }: Config): () => void {
  const [address] = server.addresses()
  if (!address || typeof address === 'string') throw new Error('The server does not listen.')
  return writeServerFile(dataDir, { pid: process.pid, url: localUrl(address), token: features.system.statusToken })
}

/** `eventsWorker`: see AppParts. */
export async function serve(args: string[], config: Config, eventsWorker?: Worker): Promise<void> {
  const parent = process.ppid
  const hangupIgnored = isHangupIgnored(process.env, parent)
  // Node has set it back to its default, which ends the process.
  if (hangupIgnored) process.on('SIGHUP', () => {})
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ args, options: { demo: flag, 'accept-loss': flag } })
  const logger = createLogger(config)
  let end = (): void => process.exit(1)
  const app = await createApp({
    config,
    clock: systemClock,
    logger,
    acceptLoss: values['accept-loss'],
    eventsWorker,
    displaced: () => end(),
  })
  try {
    const firstKey = new FirstKey(config.dataDir, app.first?.madeKey ?? null)
    const demo = values.demo ? await fillDemo(app, config) : null
    await listen(app, config)
    // Before the line that says the server listens: a process that waits for it may stop the server at once.
    const { stop, isStopping } = stopOnSignal(app, logger, {
      parent,
      isHangupIgnored: hangupIgnored,
      leave: introduce(app, config),
    })
    end = () => stop('displaced', 1)
    app.runner.start()
    new HeapGrowth().start()
    await greet({ app, config, firstKey, demo, now: systemClock.now() }, isStopping)
  } catch (error) {
    await app.close()
    throw error
  }
}
