/** What a start says when the database goes away between its last check and its first words. */
import { afterEach, expect, it } from 'vitest'
import { FirstKey } from '../../src/cli/first-key.ts'
import { welcome } from '../../src/cli/welcome.ts'
import { StoreUnavailable } from '../../src/lib/errors.ts'
import { makeApp, type TestApp } from '../support/app.ts'

let app: TestApp
afterEach(() => app.end())

it('says where the server is, though the database does not answer', async () => {
  app = await makeApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { config, dataDir } = app
  const parts = { app, config, firstKey: new FirstKey(dataDir, null), demo: null, now: app.clock.now() }
  expect((await welcome(parts, false)).text).toContain('Project token')
  const failing = (error: Error) => ({
    ...parts,
    app: { ...app, stores: { ...app.stores, keys: { ...app.stores.keys, findByHash: () => Promise.reject(error) } } },
  })
  const { text, showsKey } = await welcome(failing(new StoreUnavailable('sql_away')), true)
  expect(text).toMatch(/^Hedgerow is listening on http:\/\/127\.0\.0\.1:\d+\n/)
  expect([text.includes('Project token'), showsKey]).toEqual([false, false])
  await expect(welcome(failing(new Error('a fault')), true)).rejects.toThrow('a fault')
})
