/** A typed client made from the API document by public tools: it compiles strictly, refuses what is wrong, and works. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, ROOT_KEY, type TestApp } from '../support/app.ts'
import { makePerson } from '../support/make.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const CONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
    outDir: 'out',
  },
}

const CREATE_CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [, , baseUrl = '', key = '', person = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })
const project = { project_id: '1' }
`

const PROGRAM = `${CREATE_CLIENT}
// Where CSV is offered too, the answer may be text as far as types can tell.
function json<T>(data: T): Exclude<T, string> {
  if (typeof data === 'string') throw new Error('JSON was expected.')
  return data as Exclude<T, string>
}

const one = { params: { path: { ...project, id: person } } }
const got = await client.GET('/api/environments/{project_id}/persons/{id}/', one)
const patched = await client.PATCH('/api/environments/{project_id}/persons/{id}/', {
  ...one,
  body: { properties: { plan: 'paid' } },
})
const created = await client.POST('/api/environments/{project_id}/subscriptions/', {
  params: { path: project },
  body: {
    insight: 1,
    target_type: 'email',
    target_value: 'ada@example.com',
    frequency: 'daily',
    start_date: '2026-03-05T09:00:00Z',
  },
})
const listed = await client.GET('/api/environments/{project_id}/subscriptions/', {
  params: { path: project, query: { limit: 10 } },
})
const missing = await client.GET('/api/environments/{project_id}/persons/{id}/', {
  params: { path: { ...project, id: '999999' } },
})

// Each of these says what the compiler knows: the build fails when a type is lost.
const name: string | undefined = json(got.data)?.name
const distinctIds: string[] | undefined = json(patched.data)?.distinct_ids
const subscriptionId: number | undefined = created.data?.id
const count: number | undefined = listed.data?.count
const ids: number[] | undefined = listed.data?.results.map((subscription) => subscription.id)
const detail: string | undefined = missing.error?.detail

console.log(
  JSON.stringify({
    statuses: [got, patched, created, listed, missing].map(({ response }) => response.status),
    name,
    distinctIds,
    properties: json(patched.data)?.properties,
    subscriptionId,
    count,
    ids,
    detail,
  }),
)
`

/** Each line after the first part is wrong in one way. */
const WRONG_LINES = [
  "await client.GET('/api/environments/{project_id}/no_such_thing/', { params: { path: project } })",
  "await client.GET('/api/environments/{project_id}/persons/{id}/', { params: { path: project } })",
  "await client.PATCH('/api/environments/{project_id}/persons/{id}/', { params: { path: { ...project, id: person } }, body: { properties: 'text' } })",
  "await client.GET('/api/environments/{project_id}/subscriptions/', { params: { path: project, query: { limit: 'ten' } } })",
  "await client.POST('/api/environments/{project_id}/subscriptions/', { params: { path: project }, body: { frequency: 'hourly', target_type: 'email', target_value: 'a@example.com', start_date: '2026-03-05' } })",
]

interface Finished {
  code: number
  output: string
}

const run = (args: string[], cwd: string): Promise<Finished> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })

describe('a client generated from the API document', () => {
  let app: TestApp
  let address: string
  let folder: string

  beforeAll(async () => {
    app = await makeApp()
    address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    mkdirSync(join(ROOT, '.tmp'), { recursive: true })
    folder = mkdtempSync(join(ROOT, '.tmp', 'client-'))
    const document = (await (await fetch(`${address}/api/schema/`)).json()) as OpenAPI3
    writeFileSync(join(folder, 'api.d.ts'), await openapiTypescript(document))
    writeFileSync(join(folder, 'right.ts'), PROGRAM)
    writeFileSync(join(folder, 'wrong.ts'), CREATE_CLIENT + WRONG_LINES.join('\n'))
    for (const name of ['right', 'wrong']) {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...CONFIG, files: [`${name}.ts`] }))
    }
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await app.end()
  })

  it('compiles strictly and talks to the server', async () => {
    expect(await run([TSC, '-p', 'right.json'], folder)).toEqual({ code: 0, output: '' })
    const person = await makePerson(app, { distinctIds: ['ada'], properties: { email: 'ada@example.com' } })
    const { code, output } = await run(['out/right.js', address, ROOT_KEY, String(person.id)], folder)
    expect(code, output).toBe(0)
    const result = JSON.parse(output)
    expect(result).toEqual({
      statuses: [200, 200, 201, 200, 404],
      name: 'ada@example.com',
      distinctIds: ['ada'],
      properties: { email: 'ada@example.com', plan: 'paid' },
      subscriptionId: expect.any(Number),
      count: 1,
      ids: [result.subscriptionId],
      detail: 'Not found.',
    })
  })

  it('does not compile what the API would refuse', async () => {
    const { code, output } = await run([TSC, '-p', 'wrong.json', '--noEmit'], folder)
    expect(code).not.toBe(0)
    const first = CREATE_CLIENT.split('\n').length
    const lines = [...output.matchAll(/^wrong\.ts\((\d+),/gm)].map((match) => Number(match[1]) - first)
    expect([...new Set(lines)].sort((a, b) => a - b)).toEqual(WRONG_LINES.map((_, index) => index))
  })
})
