/**
 * The API document under the recommended rule sets of Redocly and Spectral. One rule of each is off, the same one:
 * the paths end with a slash, as in PostHog's API. Warnings count as much as errors.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { createDocsFeature } from '../src/features/docs/docs.feature.ts'
import type { OpenApiDocument } from '../src/http/openapi/document.ts'
import { type Features, routes } from '../src/routes.ts'

const REDOCLY = { extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' as const } }
const SPECTRAL = {
  extends: spectralRulesets.oas as RulesetDefinition,
  rules: { 'path-keys-no-trailing-slash': 'off' as const },
}

/** References are resolved against it; there is no such file. */
const FILE = '/openapi.json'

/** Routes only hand the features on to their handlers, and no handler is called. */
const uncalled: unknown = new Proxy(() => undefined, { get: () => uncalled })

/** The document that a server without a public URL sends. */
export function makeDocument(): OpenApiDocument {
  return createDocsFeature({ publicUrl: null }).documentOf(routes(uncalled as Features))
}

async function byRedocly(source: string): Promise<string[]> {
  const config = await createConfig(REDOCLY)
  const problems = await lintFromString({ source, absoluteRef: FILE, config })
  return problems.map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer})`)
}

async function bySpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset(SPECTRAL)
  const problems = await spectral.run(JSON.parse(source))
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join(' / ')})`)
}

/** One line for each problem: the linter, its rule, what is wrong and where. */
export async function lint(document: object): Promise<string[]> {
  const source = JSON.stringify(document)
  return [...(await byRedocly(source)), ...(await bySpectral(source))]
}
