/** The types of the API's document, as they are committed for the web app. */
import openapiTypescript, { type OpenAPI3 } from 'openapi-typescript'
import { makeDocument } from './openapi-rules.ts'

export const SCHEMA_FILE = new URL('../src/web/app/data/schema.d.ts', import.meta.url).pathname

const HEAD = '/** Made by `npm run api-types` from the routes of the API; not to be edited. */\n\n'

/** Without the words of the document, which are long and change nothing that compiles. */
const withoutComments = (text: string): string => text.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')

export async function makeApiTypes(): Promise<string> {
  const types = await openapiTypescript(makeDocument() as unknown as OpenAPI3, { commentHeader: '' })
  return HEAD + withoutComments(types)
}
