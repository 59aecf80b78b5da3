/**
 * `hedgerow serve`: opens the stores, listens, prints what a newcomer needs, and on SIGTERM or SIGINT finishes
 * the requests in hand and exits 0.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { addDemo } from '../demo/demo.ts'
import { systemClock } from '../lib/clock.ts'
import { OperatorError } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import type { Project } from '../model/project.ts'
import { welcome } from './welcome.ts'

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`Port ${port} on ${host} is in use. Set HEDGEROW_PORT to another one.`, cause)
    }
    throw new OperatorError(`Cannot listen on ${host} port ${port} (${code}).`, cause)
  }
}

/** On a terminal the key is printed, this once; otherwise it goes to a file that only the owner can read. */
function showKey(key: string | null, dataDir: string): string | null {
  if (key === null) return null
  if (process.stdout.isTTY) return key
  writeFileSync(join(dataDir, 'first-key'), `${key}\n`, { mode: 0o600 })
  return null
}

/** A request to the replay path, as if it had come in. */
const replayCall = (body: unknown) => ({
  method: 'POST',
  params: {},
  query: {},
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  ip: '127.0.0.1',
})

const fillDemo = ({ stores, features }: App): Promise<Project> =>
  addDemo({
    stores,
    now: systemClock.now(),
    capture: (request) => features.capture.capture.accept({ ...request, isPlain: false }),
    record: (body) => features.replay.accept(replayCall(body)),
    subscribe: features.subscriptions.create,
    progress: (line) => void process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`),
  })

export async function serve(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: { demo: { type: 'boolean', default: false } } })
  const logger = createLogger(config.logLevel)
  const app = await createApp({ config, clock: systemClock, logger })
  try {
    const demo = values.demo ? await fillDemo(app) : null
    const address = await listen(app, config)
    const shownKey = showKey(app.first?.madeKey ?? null, config.dataDir)
    app.runner.start()
    process.stdout.write(await welcome({ app, config, address, shownKey, demo }))
  } catch (error) {
    await app.close()
    throw error
  }
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    app.close().then(
      () => process.exit(0),
      (err) => {
        logger.error({ err }, 'the stop failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
