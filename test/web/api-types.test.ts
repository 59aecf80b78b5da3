import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeApiTypes, SCHEMA_FILE } from '../../scripts/make-api-types.ts'

it('what the web app knows of the API is what the routes say: otherwise run "npm run api-types"', async () => {
  expect(readFileSync(SCHEMA_FILE, 'utf8') === (await makeApiTypes())).toBe(true)
})
