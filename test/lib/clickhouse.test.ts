/** The ClickHouse servers that tests get. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChdbServer, noChdb, startChdb } from '../support/clickhouse/chdb.ts'
import { newClickhouse, noClickhouse } from '../support/clickhouse/databases.ts'
import {
  ask,
  type ClickhouseAccess,
  type ClickhouseNode,
  clickhouseUrl,
  startClickhouse,
} from '../support/clickhouse/server.ts'

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(shards: number) {
  const servers = await startClickhouse({ shards })
  ends.push(() => servers.close())
  return servers
}

async function shared() {
  const made = await newClickhouse()
  ends.push(() => made.drop())
  return made
}

/** A table on every shard, and one over them. */
async function makeTables(servers: ClickhouseAccess, database: string): Promise<void> {
  for (const node of servers.nodes) {
    await ask(node, servers, `CREATE TABLE ${database}.part (id UInt64) ENGINE = MergeTree() ORDER BY id`)
    await ask(
      node,
      servers,
      `CREATE TABLE ${database}.whole AS ${database}.part ENGINE = Distributed(test, ${database}, part, id)`,
    )
  }
}

const fill = (servers: ClickhouseAccess, node: ClickhouseAccess['nodes'][number], database: string) =>
  ask(node, servers, `INSERT INTO ${database}.whole SELECT number FROM numbers(1000)`, { insert_distributed_sync: '1' })

const pair = <T>(nodes: T[]): [T, T] => {
  const [one, two] = nodes
  if (!one || !two) throw new Error('There are no two nodes.')
  return [one, two]
}

const because = (reason: string | null) => (reason ? ` (${reason})` : '')

describe.skipIf(noClickhouse)(`ClickHouse 18.16${because(noClickhouse)}`, () => {
  it('has two shards for all tests of a run, each of which gets a database', async () => {
    const one = await shared()
    const two = await shared()
    expect(two.database).not.toBe(one.database)
    const [first, second] = pair(one.nodes)
    expect(one.url).toBe(
      `clickhouse://hedgerow:${one.password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${one.database}?cluster=test`,
    )
    expect(await ask(first, one, 'SELECT version()')).toMatch(/^18\.16\./)
    await makeTables(one, one.database)
    await fill(one, first, one.database)
    expect(await ask(second, one, `SELECT count() FROM ${one.database}.whole`)).toBe('1000\n')
    expect(await ask(first, one, `SELECT count() FROM ${one.database}.part`)).toBe('500\n')
    expect(await ask(second, one, `SHOW TABLES FROM ${two.database}`)).toBe('')
  })

  it('answers a ping, and only a user with the password', async () => {
    const { user, password, nodes } = await shared()
    const [node] = pair(nodes)
    const ping = await fetch(`http://${node.host}:${node.port}/ping`)
    expect([ping.status, await ping.text()]).toEqual([200, 'Ok.\n'])
    expect(await ask(node, { user, password }, 'SELECT 1')).toBe('1\n')
    await expect(ask(node, { user, password: 'wrong' }, 'SELECT 1')).rejects.toThrow('Code: 193')
    await expect(ask(node, { user: 'default', password: '' }, 'SELECT 1')).rejects.toThrow('Code: 192')
  })

  it('of one test can be killed and started again with its data', async () => {
    const servers = await start(2)
    const [first, second]: [ClickhouseNode, ClickhouseNode] = pair(servers.nodes)
    const database = await servers.createDatabase()
    await makeTables(servers, database)
    await fill(servers, first, database)
    const count = () => ask(first, servers, `SELECT count() FROM ${database}.whole`)
    expect(await count()).toBe('1000\n')
    await second.kill()
    await expect(count()).rejects.toThrow('All connection tries failed')
    await second.start()
    expect(await count()).toBe('1000\n')
  })

  it('can be one server without a cluster, of which nothing is left', async () => {
    const servers = await startClickhouse({ shards: 1 })
    const [node] = servers.nodes
    if (!node) throw new Error('There is no node.')
    expect(await ask(node, servers, 'SELECT count() FROM system.clusters')).toBe('0\n')
    expect(clickhouseUrl(servers, 'a')).toBe(`clickhouse://hedgerow:${servers.password}@127.0.0.1:${node.port}/a`)
    const [path = ''] = (
      await ask(node, servers, "SELECT metadata_path FROM system.databases WHERE name = 'default'")
    ).split('/data/')
    expect([path.startsWith(tmpdir()), existsSync(path)]).toEqual([true, true])
    await servers.close()
    expect(existsSync(path)).toBe(false)
    await expect(fetch(`http://127.0.0.1:${node.port}/ping`)).rejects.toThrow('fetch failed')
  })
})

describe.skipIf(noChdb)(`a current ClickHouse${because(noChdb)}`, () => {
  let server: ChdbServer
  beforeAll(async () => {
    server = await startChdb()
  })
  afterAll(() => server?.close())

  const send = (params: Record<string, string>, body: string | Buffer<ArrayBuffer> = '') => {
    const [node] = server.nodes
    return fetch(`http://127.0.0.1:${node?.port}/?${new URLSearchParams(params)}`, { method: 'POST', body })
  }
  const read = async (query: string, params: Record<string, string> = {}) => (await send(params, query)).text()

  it('answers a ping and says its version', async () => {
    const ping = await fetch(`http://127.0.0.1:${server.nodes[0]?.port}/ping`)
    expect([ping.status, await ping.text()]).toEqual([200, 'Ok.\n'])
    expect(await read('SELECT version()')).toMatch(/^26\.5\./)
  })

  it('takes the rows of an insert as bytes, and gives them back so', async () => {
    const database = await server.createDatabase()
    await read('CREATE TABLE t (n UInt16, s String) ENGINE = MergeTree ORDER BY n', { database })
    const rows = Buffer.from([0xff, 0xfe, 3, 0, 10, 0xe9, 1, 0, 0])
    const insert = await send(
      { database, query: 'INSERT INTO t (n, s) FORMAT RowBinary', max_insert_threads: '1' },
      rows,
    )
    expect([insert.status, await insert.text()]).toEqual([200, ''])
    const answer = await send({ database, query: 'SELECT n, s FROM t ORDER BY n DESC FORMAT RowBinary' })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(rows)
  })

  it('keeps settings and the database to one request', async () => {
    expect(
      await read("SELECT getSetting('max_threads'), currentDatabase()", { max_threads: '3', database: 'system' }),
    ).toBe('3\tsystem\n')
    expect(await read('SELECT currentDatabase()')).toBe('default\n')
  })

  it('answers an error with its code', async () => {
    const answer = await send({}, 'SELECT * FROM nothing')
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([500, '60'])
    expect(await answer.text()).toMatch(/^Code: 60\. DB::Exception: /)
    expect((await send({ no_such_setting: '1' }, 'SELECT 1')).headers.get('x-clickhouse-exception-code')).toBe('115')
  })
})
