/** The library for PostgreSQL is loaded only by whoever uses it: it takes time and memory. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newDatabase } from '../../support/postgres/databases.ts'
import { start, useFolder } from '../../support/program.ts'

const folder = useFolder()

/** Says at the end of the process whether it was loaded. */
const PRELOAD = `
  const cache = require('node:module')._cache
  process.on('exit', () => {
    const isLoaded = Object.keys(cache).some((path) => path.includes('/node_modules/pg/'))
    process.stdout.write(isLoaded ? 'pg is loaded' : 'pg is not loaded')
  })`

async function saidAtTheEnd(env: Record<string, string>): Promise<string> {
  const preload = join(folder(), 'preload.cjs')
  writeFileSync(preload, PRELOAD)
  const server = await start(join(folder(), 'data'), { env, nodeArgs: ['--require', preload] })
  return (await server.stop()).stdout
}

it('not with embedded stores', async () => {
  expect(await saidAtTheEnd({})).toMatch(/pg is not loaded$/)
})

it('with a URL', async () => {
  const { url, drop } = await newDatabase()
  expect(await saidAtTheEnd({ HEDGEROW_SQL_URL: url })).toMatch(/pg is loaded$/)
  await drop()
})
