/** What a start prints: where the server is, the facts of the first project, and lines that work as pasted. */
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { formatInstant, SECOND } from '../lib/time.ts'
import type { Project } from '../model/project.ts'

export interface WelcomeParts {
  app: App
  config: Config
  address: string
  /** The first key, when it may be shown. */
  shownKey: string | null
  /** The project with example data, when it was asked for. */
  demo: Project | null
}

function keyLines({ app, config, shownKey }: WelcomeParts): string[] {
  if (shownKey !== null) return [`  API key         ${shownKey}   (shown this once)`]
  if (app.first?.madeKey) return [`  API key         in ${join(config.dataDir, 'first-key')}`]
  return []
}

/** How the shell gets at the key in the lines below. */
function keyVariable({ app, config, shownKey }: WelcomeParts): string {
  if (shownKey !== null) return `KEY=${shownKey}`
  if (app.first?.madeKey) return `KEY=$(cat ${join(config.dataDir, 'first-key')})`
  return config.apiKey === null ? 'KEY=<your personal API key>' : 'KEY=$HEDGEROW_API_KEY'
}

export async function welcome(parts: WelcomeParts): Promise<string> {
  const { app, address, demo } = parts
  const demoLines = demo ? [`  Demo project    ${demo.id}   (token ${demo.apiToken})`] : []
  if (!app.first) return `${[`Hedgerow is listening on ${address}`, ...demoLines].join('\n')}\n`
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
