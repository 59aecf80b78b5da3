/** What a start prints: the server's URL, the first project, and commands that work when pasted. */
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { formatInstant, SECOND } from '../lib/time/time.ts'
import type { Project } from '../model/accounts/project.ts'
import type { FirstKey } from './first-key.ts'

export interface WelcomeParts {
  app: App
  config: Config
  address: string
  firstKey: FirstKey
  /** The project with example data, if requested. */
  demo: Project | null
}

function keyLines({ firstKey: { shown, isInFile, path } }: WelcomeParts): string[] {
  if (shown !== null) return [`  API key         ${shown}   (shown this once)`]
  return isInFile ? [`  API key         in ${path}`] : []
}

/** Quoted for a shell. */
const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The shell variable with the key for the commands below. */
function keyVariable({ config, firstKey: { shown, isInFile, path } }: WelcomeParts): string {
  if (shown !== null) return `KEY=${shown}`
  if (isInFile) return `KEY=$(cat ${quoted(path)})`
  return config.apiKey === null ? 'KEY=<your personal API key>' : 'KEY=$HEDGEROW_API_KEY'
}

export function welcome(parts: WelcomeParts): string {
  const { app, address, demo } = parts
  const demoLines = demo ? [`  Demo project    ${demo.id}   (token ${demo.apiToken})`] : []
  if (!app.first) return `${[`Hedgerow is listening on ${address}`, ...keyLines(parts), ...demoLines].join('\n')}\n`
  const { project } = app.first
  const start = formatInstant(Math.floor(project.createdAt / SECOND) * SECOND)
  const api = `${address}/api/environments/${project.id}`
  return `${[
    `Hedgerow is listening on ${address}`,
    `  Project         ${project.id}`,
    `  Project token   ${project.apiToken}`,
    ...keyLines(parts),
    ...demoLines,
    '',
    'Try:',
    `  ${keyVariable(parts)}`,
    `  curl -H "Content-Type: application/json" ${address}/i/v0/e/ \\`,
    `    -d '{"token":"${project.apiToken}","event":"hello","distinct_id":"jane","$set":{"email":"jane@example.com"}}'`,
    `  curl -H "Authorization: Bearer $KEY" ${api}/persons/`,
    `  curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" ${api}/subscriptions/ \\`,
    `    -d '{"target_type":"email","target_value":"you@example.com","frequency":"weekly","start_date":"${start}"}'`,
    '',
    `All operations: ${address}/api/docs/`,
  ].join('\n')}\n`
}
