/** "Show request" leads to the operation in the API docs: for every one that the app uses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDocument } from '../../scripts/openapi-rules.ts'

const DATA = new URL('../../src/web/app/data/', import.meta.url).pathname
const { docsHash } = (await import(join(DATA, 'requests/operations.ts'))) as {
  docsHash: (method: string, path: string) => string
}

/** Requests that are nothing but secrets are not shown. */
const NEVER_SHOWN = /^\/(?:api\/(?:login|signup|reset)|logout|_preflight)\/$/

const used = readdirSync(DATA)
  .filter((name) => name.endsWith('.ts') && name !== 'schema.d.ts')
  .flatMap((name) => [...readFileSync(join(DATA, name), 'utf8').matchAll(/api\.([A-Z]+)\(\s*'([^']+)'/g)])
  .map(([, method = '', path = '']) => ({ method, path }))
  .filter(({ path }) => !NEVER_SHOWN.test(path))

const { paths } = makeDocument() as { paths: Record<string, Record<string, { tags: string[] }>> }

it('finds what the app uses', () => expect(used.length).toBeGreaterThan(10))

it.each(used)('$method $path', ({ method, path }) => {
  const tag = paths[path]?.[method.toLowerCase()]?.tags[0]
  expect(docsHash(method, path.replaceAll(/\{\w+\}/g, '12'))).toBe(`#tag/${tag}/${method}${path}`)
})
