import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import { startLossyProxy } from '../../../../test/support/clickhouse/lossy-proxy.ts'
import { ask, clickhouseUrl } from '../../../../test/support/clickhouse/server.ts'
import { StoreUnavailable } from '../../../lib/errors.ts'
import { Deadline } from '../../../lib/time/deadline.ts'
import { noteSettled } from '../actors/overrides.ts'
import { openParts } from '../open-parts.ts'
import { connect, type Servers } from './client.ts'
import { readClickhouseUrl } from './read-url.ts'

let database: TestClickhouse
let servers: Servers

/** Runs on both nodes without an end, and does nothing there. */
const endless = (mark: string): string =>
  `SELECT count() FROM cluster('test', system.numbers) WHERE sleep(0.1) = 0 AND '${mark}' != ''`

/** Waits until a statement with this mark runs on so many nodes. */
async function untilRunningOn(nodes: number, mark: string): Promise<void> {
  const sql = `SELECT count() > 0 FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%processes%'`
  const end = performance.now() + 60_000
  for (;;) {
    const found = await Promise.all(database.nodes.map((node) => ask(node, database, sql)))
    const running = found.filter((answer) => answer.trim() === '1').length
    if (running === nodes) return
    if (performance.now() > end) throw new Error(`It runs on ${running} nodes.`)
    await pause(20)
  }
}

describe.skipIf(noClickhouse)('a statement', () => {
  beforeAll(async () => {
    database = await newClickhouse()
    servers = await connect(readClickhouseUrl(database.url))
  })
  afterAll(async () => {
    await servers.close()
    await database.drop()
  })

  it('ends on every node when its time is over', async () => {
    const mark = randomUUID()
    const answer = expect(servers.rows(endless(mark), { deadline: new Deadline(1_000) })).rejects.toMatchObject({
      kind: 'timeout',
      message: 'This took longer than 1 seconds. Narrow the request.',
    })
    await untilRunningOn(database.nodes.length, mark)
    await answer
    await untilRunningOn(0, mark)
  })

  it('ends on every node when nobody waits for it any more', async () => {
    const mark = randomUUID()
    const controller = new AbortController()
    const answer = expect(
      servers.rows(endless(mark), { deadline: new Deadline(Number.POSITIVE_INFINITY, controller.signal) }),
    ).rejects.toMatchObject({ kind: 'timeout', message: 'Nobody waits for this any more.' })
    await untilRunningOn(database.nodes.length, mark)
    controller.abort()
    await answer
    await untilRunningOn(0, mark)
  })

  it('is ended by the servers themselves when this process cannot', async () => {
    class Untold extends Deadline {
      override whenOver(): () => void {
        return () => undefined
      }
    }
    const deadline = new Untold(500)
    const mark = randomUUID()
    await expect(servers.rows(endless(mark), { deadline })).rejects.toMatchObject({ kind: 'timeout' })
    await untilRunningOn(0, mark)
  })

  it('is told apart when it is wrong from when nobody answers', async () => {
    await expect(servers.rows('SELECT nonsense')).rejects.toThrow('nonsense')
    const away = await connect(readClickhouseUrl('clickhouse://127.0.0.1:1/x'))
    await expect(away.rows('SELECT 1')).rejects.toBeInstanceOf(StoreUnavailable)
    await away.close()
  })
})

it.skipIf(noClickhouse)('a read is asked once more where its connection was cut', async () => {
  const own = await newClickhouse()
  const proxies = await Promise.all(own.nodes.map(startLossyProxy))
  const behind = await connect(readClickhouseUrl(clickhouseUrl({ ...own, nodes: proxies }, own.database)))
  let cuts = 0
  for (const proxy of proxies) proxy.behave(() => (cuts-- > 0 ? 'refuse' : 'pass'))
  expect(await behind.rows('SELECT 1')).toEqual([[1]])
  cuts = 1
  expect(await behind.rows('SELECT 2')).toEqual([[2]])
  cuts = 1
  expect([...(await behind.binary('SELECT toUInt8(3)'))]).toEqual([3])
  cuts = 2
  await expect(behind.rows('SELECT 4')).rejects.toBeInstanceOf(StoreUnavailable)
  await behind.close()
  for (const proxy of proxies) await proxy.stop()
  await own.drop()
})

it.skipIf(noClickhouse)('an insert is one statement where there are no replicas', async () => {
  const own = await newClickhouse()
  const proxies = await Promise.all(own.nodes.map(startLossyProxy))
  const parts = await openParts(clickhouseUrl({ ...own, nodes: proxies }, own.database))
  const seen: string[] = []
  for (const proxy of proxies) {
    proxy.behave((statement) => {
      seen.push(statement)
      return 'pass'
    })
  }
  await noteSettled(parts.servers, 1n)
  expect(seen).toEqual([expect.stringMatching(/^INSERT INTO settled/)])
  await parts.servers.close()
  for (const proxy of proxies) await proxy.stop()
  await own.drop()
})
