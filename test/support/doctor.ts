/** What the doctor says of a test's server, as if the command line had asked it, and of stores without one. */
import { checks } from '../../src/cli/doctor/checks.ts'
import { readConfig } from '../../src/config.ts'
import type { SqlStores } from '../../src/model/stores.ts'
import type { TestApp } from './app.ts'
import { storeSettings } from './stores/stores.ts'

export interface DoctorOptions {
  /** Settings of the doctor's own shell. */
  env?: Record<string, string>
  now?: number
  stores?: SqlStores
  /** False: no server runs. */
  isRunning?: boolean
}

async function checksOf(app: TestApp, { env, now, stores, isRunning = true }: DoctorOptions) {
  return checks({
    config: readConfig({ HEDGEROW_DATA_DIR: app.dataDir, ...(await storeSettings(app.dataDir)), ...env }),
    stores: stores ?? app.stores,
    now: now ?? app.clock.now(),
    asked: isRunning ? { kind: 'running', status: await app.features.system.status() } : { kind: 'none' },
    stopped: isRunning ? null : { events: null, blobs: null },
  })
}

export const doctorChecks = async (app: TestApp, options: DoctorOptions = {}): Promise<string[]> =>
  Object.keys(await checksOf(app, options))

/** One finding: its state and its words. */
export async function doctorSays(app: TestApp, name: string, options: DoctorOptions = {}): Promise<string> {
  const { state, words } = (await (await checksOf(app, options))[name]?.()) ?? { state: 'none', words: '' }
  return `${state}: ${words}`
}
