/** The API document under public rule sets, which `npm run check` holds it to, and what they do not ask. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lint, makeDocument } from '../../../scripts/openapi-rules.ts'
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const PUBLIC_URL = 'https://analytics.hedgerow.test/in/a/folder'
/** Loading and running both linters, on a machine that does other things too. */
const LINT_MS = 120_000

type Json = Record<string, unknown>

let app: TestApp
let published: TestApp
let document: OpenApiDocument
let publishedDocument: OpenApiDocument

const read = async (from: TestApp) => (await from.call('GET', '/api/schema/', { key: null })).json<OpenApiDocument>()

beforeAll(async () => {
  app = await makeApp()
  published = await makeApp({ env: { HEDGEROW_PUBLIC_URL: `${PUBLIC_URL}/` } })
  document = await read(app)
  publishedDocument = await read(published)
})
afterAll(async () => {
  await app.end()
  await published.end()
})

/** Words about a value: two schemas that differ in them only accept the same. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'example', 'examples', 'deprecated'])

/** What a schema accepts, as comparable text: references resolved, names in order, annotations left out. */
function meaningOf(value: unknown, root: Json): string {
  if (Array.isArray(value)) return `[${value.map((item) => meaningOf(item, root)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string') {
    const names = $ref.slice('#/'.length).split('/')
    return meaningOf(
      names.reduce<unknown>((at, name) => (at as Json)[name], root),
      root,
    )
  }
  const entries = Object.entries(value).filter(([name, inner]) => !ANNOTATIONS.has(name) || typeof inner === 'object')
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${meaningOf(inner, root)}`).join()}}`
}

/** Every list of alternatives in which two are the same, those inside alternatives counted with the outer ones. */
function repeatedAlternatives(root: Json, value: unknown = root, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, child]) => repeatedAlternatives(root, child, `${at}/${name}`))
  const flat = (branches: unknown[]): unknown[] =>
    branches.flatMap((branch) => {
      const { anyOf } = branch as { anyOf?: unknown[] }
      return anyOf ? flat(anyOf) : [branch]
    })
  const own = ['anyOf', 'oneOf'].filter((keyword) => {
    const branches = (value as Json)[keyword]
    if (!Array.isArray(branches)) return false
    const meanings = flat(branches).map((branch) => meaningOf(branch, root))
    return branches.length < 2 || new Set(meanings).size < meanings.length
  })
  return [...inner, ...own.map((keyword) => `${at}/${keyword}`)]
}

describe('the rule sets', () => {
  it('find nothing in the document of a server with a public URL', { timeout: LINT_MS }, async () => {
    expect(await lint(publishedDocument)).toEqual([])
  })

  it('are in force, both of them', { timeout: LINT_MS }, async () => {
    const { license, contact, ...info } = document.info
    const paths = { '/_health': document.paths['/_health'] }
    const tags = [{ name: 'system' }]
    const rules = (await lint({ ...document, info, servers: [], tags, paths })).map((problem) => problem.split(':')[0])
    expect([...new Set(rules)].sort()).toEqual([
      'redocly info-license',
      'redocly no-empty-servers',
      'redocly no-unused-components',
      'redocly tag-description',
      'spectral info-contact',
      'spectral oas3-api-servers',
      'spectral oas3-unused-component',
    ])
  })

  // There they find nothing either, or npm test would not have come so far.
  it('are part of npm run check, on the document that the server sends', () => {
    expect(JSON.parse(JSON.stringify(makeDocument()))).toEqual(document)
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.check.split(' && ')).toContain('tsx scripts/lint-openapi.ts')
  })
})

describe('the API document', () => {
  it('says where its paths begin: at the server itself, or at its public URL', () => {
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }])
    expect(publishedDocument.servers).toEqual([{ url: PUBLIC_URL, description: expect.any(String) }])
  })

  it('names who made it, and where the documentation is if that has an address', () => {
    expect(document.info.contact).toEqual({ name: 'The Hedgerow authors' })
    expect(publishedDocument.info.contact).toEqual({ name: 'The Hedgerow authors', url: `${PUBLIC_URL}/api/docs/` })
  })

  it('differs with the public URL in nothing else', () => {
    const { servers, info } = document
    const { contact } = info
    expect({ ...publishedDocument, servers, info: { ...publishedDocument.info, contact } }).toEqual(document)
  })

  it('offers no alternative twice', () => {
    expect(repeatedAlternatives(document as unknown as Json)).toEqual([])
  })

  it('would be found to offer one twice, by reference, in another order or within another', () => {
    const schemas = {
      Name: { type: 'string', maxLength: 5 },
      ByReference: { anyOf: [{ $ref: '#/components/schemas/Name' }, { maxLength: 5, type: 'string' }] },
      InWords: { anyOf: [{ type: 'null' }, { type: 'null', description: 'None.' }] },
      Within: { properties: { a: { oneOf: [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, { type: 'null' }] } } },
      Alone: { anyOf: [{ type: 'string' }] },
      Fine: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }
    const found = repeatedAlternatives({ components: { schemas } })
    expect(found.map((path) => path.slice('/components/schemas/'.length))).toEqual([
      'ByReference/anyOf',
      'InWords/anyOf',
      'Within/properties/a/oneOf',
      'Alone/anyOf',
    ])
  })
})
