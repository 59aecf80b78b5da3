/** No contract suite is left out: every function that a `.contract.ts` file exports is in the registry. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BLOB_SUITES, EVENT_SUITES, SQL_SUITES } from './registry.ts'

const registered = new Set<unknown>([...SQL_SUITES, ...Object.values(EVENT_SUITES), ...BLOB_SUITES])
const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.contract.ts'),
)

it('the folder has suites', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(registered.size).toBeGreaterThan(30)
})

it.each(files)('%s: every suite of it is in the registry', async (file) => {
  const suites = Object.entries(await import(/* @vite-ignore */ `./${file}`)).filter(
    ([, value]) => typeof value === 'function',
  )
  expect(suites.length).toBeGreaterThan(0)
  expect(suites.filter(([, suite]) => !registered.has(suite)).map(([name]) => name)).toEqual([])
})
