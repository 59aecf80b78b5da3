/** Makes a whole app on temporary embedded stores, and ends it. Requests go through the real server, by inject. */
import { rmSync } from 'node:fs'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { type App, createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { keepThreads } from '../../src/lib/concurrency/worker-thread.ts'
import { MINUTE } from '../../src/lib/time/time.ts'
import { type TestClock, testClock } from './clock.ts'
import { chosenStores } from './rerun-stores.ts'
import { atScale, onPostgres, putStoresBack, storeSettings } from './stores/stores.ts'

export const ROOT_KEY = 'phx_test_root_key_0123456789'
export const PROJECT_TOKEN = 'phc_test_project_token_0123'

keepThreads()

export interface TestAppOptions {
  env?: Record<string, string | undefined>
  clock?: TestClock
  /** An existing data folder, kept afterwards. */
  dataDir?: string
  /** Time limit of what looks through much; without it nothing ends for a busy machine. */
  scanLimitMs?: number
  acceptLoss?: boolean
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
  query?: Record<string, string>
}

export interface TestApp extends App {
  clock: TestClock
  dataDir: string
  config: Config
  /** Lines the server logged. */
  logs: string[]
  call(method: string, path: string, options?: CallOptions): Promise<LightMyRequestResponse>
  end(): Promise<void>
}

// Not at the top: vitest is not there when a fixture is made.
async function newFolder(): Promise<string> {
  const { newDataFolder } = await import('./data-folder/new-folder.ts')
  return newDataFolder({ hasSql: !onPostgres, hasEvents: !atScale })
}

export async function makeApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = options.dataDir ?? (await newFolder())
  const clock = options.clock ?? testClock()
  const logs: string[] = []
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void logs.push(line) })
  const config = readConfig({
    HEDGEROW_DATA_DIR: dataDir,
    HEDGEROW_API_KEY: ROOT_KEY,
    HEDGEROW_PROJECT_TOKEN: PROJECT_TOKEN,
    ...(await storeSettings(dataDir)),
    ...options.env,
  })
  const app = await createApp({
    config,
    clock,
    logger,
    acceptLoss: options.acceptLoss ?? false,
    scanLimitMs: options.scanLimitMs ?? 10 * MINUTE,
    wrapSql: chosenStores,
  })
  const call = (method: string, path: string, { key = ROOT_KEY, body, headers, query }: CallOptions = {}) =>
    app.server.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(query ? { query } : {}),
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const end = async () => {
    await app.close()
    if (options.dataDir !== undefined) return
    rmSync(dataDir, { recursive: true, force: true })
    await putStoresBack(dataDir)
  }
  return { ...app, clock, dataDir, config, logs, call, end }
}
