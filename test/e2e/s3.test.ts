/** The built program with recordings in S3: sent to, killed, started again, read, deleted. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, start, useFolder } from '../support/program.ts'
import { click, makeSnapshot } from '../support/replay/replay.ts'
import { type S3Server, startS3 } from '../support/servers/s3.ts'

const KEY = 'phx_s3_key_0123456789abcdef'
const TOKEN = 'phc_s3_token_0123456789abc'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

const folder = useFolder()

it('keeps what was acknowledged over a kill, and nothing of what was deleted', async () => {
  const env = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN, HEDGEROW_BLOBS_URL: s3.url('e2e') }
  const snapshots = [1, 2, 3].map((at) =>
    makeSnapshot({ events: [click(Date.now() + at)], properties: { token: TOKEN } }),
  )
  let server = await start(folder(), { env })
  const send = async (snapshot: unknown) => {
    const body = JSON.stringify([snapshot])
    const answer = await fetch(`${server.url}/s/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return answer.status
  }
  const api = (path: string, method = 'GET') =>
    fetch(`${server.url}/api/environments/1/session_recordings/session-1/${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}` },
    })
  expect([await send(snapshots[0]), await send(snapshots[1])]).toEqual([200, 200])
  await server.stop('SIGKILL')
  server = await start(folder(), { env })
  expect([await send(snapshots[1]), await send(snapshots[2])]).toEqual([200, 200])
  const { sources } = (await (await api('snapshots/')).json()) as { sources: unknown[] }
  expect(sources).toHaveLength(3)
  const read = await (await api('snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=2')).text()
  expect(read.trim().split('\n')).toHaveLength(3)
  const doctor = await run(['doctor'], { env: { ...env, HEDGEROW_DATA_DIR: folder() } })
  expect(doctor.stdout).toMatch(/ok +recordings +the server can use it/)
  expect(doctor.stdout).toMatch(/S3; SQLite and DuckDB in the data folder/)
  expect((await api('', 'DELETE')).status).toBe(204)
  expect((await api('snapshots/')).status).toBe(410)
  expect((await server.stop('SIGTERM')).code).toBe(0)
  const refused = await run(['backup', `${folder()}/backup`], { env: { ...env, HEDGEROW_DATA_DIR: folder() } })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('a copy of the bucket')])
})
