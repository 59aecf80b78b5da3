/**
 * What a start prints once the server listens: until the first event has come an introduction (the project, its token,
 * the key once, commands that work when pasted), later only where the server is and how to get on.
 */

import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { isStoreAway } from '../lib/errors.ts'
import { hostUrl } from '../lib/net/host-url.ts'
import { formatInstant, SECOND } from '../lib/time/time.ts'
import type { Project } from '../model/accounts/project.ts'
import { hashKey } from '../rules/accounts/key-secret.ts'
import { offerSetup, type SetupPlace } from './accounts/setup-link.ts'
import type { FirstKey } from './first-key.ts'
import { projectToIntroduce } from './newcomer.ts'
import { programName, quoted } from './program-name.ts'

export interface WelcomeParts {
  app: App
  config: Config
  firstKey: FirstKey
  /** The project with example data, if requested. */
  demo: Project | null
  now: number
}

/** Where the key of the introduction is: shown here, in its file, set by the operator, or not to be had any more. */
type KeyPlace = { shown: string } | { file: string } | 'setting' | null

const line = (name: string, value: string): string => `  ${name.padEnd(16)}${value}`

const ANY_ADDRESS = ['0.0.0.0', '::']

/** What a person on this machine can open. */
function localUrl({ server }: App, { host }: Config): string {
  const { port } = server.server.address() as AddressInfo
  return hostUrl(ANY_ADDRESS.includes(host) ? 'localhost' : host, port)
}

function listeningLines({ app, config }: WelcomeParts): string[] {
  const { host, publicUrl } = config
  return [
    `Hedgerow is listening on ${localUrl(app, config)}`,
    ...(ANY_ADDRESS.includes(host) ? [line('Open to', `all addresses of this machine (${host})`)] : []),
    ...(publicUrl === null ? [] : [line('Public address', publicUrl)]),
    line('Data folder', resolve(config.dataDir)),
  ]
}

function setupLines(setup: SetupPlace): string[] {
  if (setup === null) return []
  return [line('Open this once', 'shown' in setup ? setup.shown : `the link in ${setup.file}`)]
}

const demoLines = ({ demo }: WelcomeParts): string[] =>
  demo ? [line('Demo project', `${demo.id}   (token ${demo.apiToken})`)] : []

const newKeyLine = ({ config }: WelcomeParts): string =>
  line('A new key', `${programName(config)} keys create --label NAME`)

function keyLine(parts: WelcomeParts, key: KeyPlace): string {
  if (key === null) return newKeyLine(parts)
  if (key === 'setting') return line('API key', 'the one in HEDGEROW_API_KEY')
  return 'shown' in key ? line('API key', `${key.shown}   (shown this once)`) : line('API key', `in ${key.file}`)
}

/** The shell variable with the key for the commands below. */
function keyVariable(key: KeyPlace): string {
  if (key === null) return 'KEY=<your personal API key>'
  if (key === 'setting') return 'KEY=$HEDGEROW_API_KEY'
  return 'shown' in key ? `KEY=${key.shown}` : `KEY=$(cat ${quoted(key.file)})`
}

function introduction(parts: WelcomeParts, project: Project, { key, setup }: Known): string[] {
  const { app, config } = parts
  const url = localUrl(app, config)
  const start = formatInstant(Math.floor(project.createdAt / SECOND) * SECOND)
  const api = `${url}/api/environments/${project.id}`
  return [
    ...listeningLines(parts),
    ...setupLines(setup),
    line('Project', String(project.id)),
    line('Project token', project.apiToken),
    keyLine(parts, key),
    ...demoLines(parts),
    '',
    'Try:',
    `  ${keyVariable(key)}`,
    `  curl -H "Content-Type: application/json" ${url}/i/v0/e/ \\`,
    `    -d '{"token":"${project.apiToken}","event":"hello","distinct_id":"jane","$set":{"email":"jane@example.com"}}'`,
    `  curl -H "Authorization: Bearer $KEY" ${api}/persons/`,
    `  curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" ${api}/subscriptions/ \\`,
    `    -d '{"target_type":"email","target_value":"you@example.com","frequency":"weekly","start_date":"${start}"}'`,
    '',
    'In a web page, with posthog-js:',
    `  posthog.init('${project.apiToken}', { api_host: '${config.publicUrl ?? url}', defaults: '2025-05-24' })`,
    '',
    `All operations: ${config.publicUrl ?? url}/api/docs/`,
    'This is shown until the first event has come.',
  ]
}

function reminder(parts: WelcomeParts, { key, setup }: Known): string[] {
  const { app, config } = parts
  return [
    ...listeningLines(parts),
    ...setupLines(setup),
    ...(key !== null && typeof key === 'object' ? [keyLine(parts, key)] : []),
    ...demoLines(parts),
    newKeyLine(parts),
    line('All operations', `${config.publicUrl ?? localUrl(app, config)}/api/docs/`),
  ]
}

async function placeOfKey({ app, config, firstKey }: WelcomeParts, mayShow: boolean): Promise<KeyPlace> {
  const works = async (key: string) => (await app.stores.keys.findByHash(hashKey(key))) !== null
  const key = await firstKey.read(works)
  if (key !== null) return mayShow ? { shown: key } : { file: firstKey.path }
  return config.apiKey !== null && (await works(config.apiKey)) ? 'setting' : null
}

interface Known {
  project: Project | null
  key: KeyPlace
  setup: SetupPlace
}

async function readKnown(parts: WelcomeParts, isTerminal: boolean): Promise<Known> {
  try {
    const project = await projectToIntroduce(parts.app.stores)
    const { app, config, now } = parts
    const url = config.publicUrl ?? localUrl(app, config)
    const offered = { stores: app.stores, dataDir: config.dataDir, url, now }
    // The link opens a page of the app.
    const setup = config.webApp ? await offerSetup(offered, isTerminal) : null
    return { project, key: await placeOfKey(parts, isTerminal && project !== null), setup }
  } catch (error) {
    if (!isStoreAway(error)) throw error
    // It went away since the server started, which goes on; where that is can be said all the same.
    return { project: null, key: null, setup: null }
  }
}

/** Call it when the server listens. `isTerminal`: a person reads it now, so the key may be shown. */
export async function welcome(parts: WelcomeParts, isTerminal: boolean): Promise<{ text: string; showsKey: boolean }> {
  const known = await readKnown(parts, isTerminal)
  const { project, key } = known
  const lines = project === null ? reminder(parts, known) : introduction(parts, project, known)
  return { text: `${lines.join('\n')}\n`, showsKey: key !== null && typeof key === 'object' && 'shown' in key }
}
