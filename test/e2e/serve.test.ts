/** The program as a new user sees it: the first start, the printed lines, bad settings, kills and restarts. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type Running, run, start, useFolder } from '../support/program.ts'

const sh = promisify(execFile)
const KEY = 'phx_e2e_key_0123456789abcdef'

const folder = useFolder()

const serve = (options: Parameters<typeof start>[1] = {}): Promise<Running> => start(folder(), options)
const get = (server: Running, path: string, key = KEY) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })

describe('the first start', () => {
  it('prints the facts and keeps the key in a file only its owner can read', async () => {
    const server = await serve()
    expect(server.stdout()).toMatch(/Project +1\n/)
    expect(server.stdout()).toMatch(/Project token +phc_[0-9A-Za-z]{43}\n/)
    expect(server.stdout()).not.toContain('phx_')
    const file = join(folder(), 'first-key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    const key = readFileSync(file, 'utf8').trim()
    expect((await get(server, '/api/users/@me/', key)).status).toBe(200)
  })
  it('prints curl lines that work as pasted, on an empty project', async () => {
    const server = await start(join(folder(), "the jane's data"))
    const lines = server.stdout().split('Try:\n')[1]?.split('\n\n')[0] ?? ''
    const script = lines.replaceAll('curl ', 'curl -sS -o /dev/null -w "%{http_code}\\n" ')
    const { stdout } = await sh('bash', ['-euc', script])
    const codes = stdout.trim().split('\n')
    expect(codes).toEqual(['200', '200', '201'])
  })
  it('uses the key and token it was given, and repeats neither key nor file', async () => {
    const server = await serve({ env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: 'phc_e2e_token_0123456789' } })
    expect((await get(server, '/api/projects/1/')).status).toBe(200)
    expect(server.stdout()).toContain('phc_e2e_token_0123456789')
    expect(server.stdout() + server.stderr()).not.toContain(KEY)
    expect(() => statSync(join(folder(), 'first-key'))).toThrow(/ENOENT/)
  })
  it('makes nothing twice: a second start finds everything', async () => {
    const env = { HEDGEROW_API_KEY: KEY }
    const first = await serve({ env })
    const before = await (await get(first, '/api/projects/')).json()
    expect((await first.stop()).code).toBe(0)
    const second = await serve({ env })
    expect(await (await get(second, '/api/projects/')).json()).toEqual(before)
  })
})

describe('the introduction', () => {
  const hello = async (server: Running) => {
    const token = /Project token +(\S+)/.exec(server.stdout())?.[1]
    const body = JSON.stringify({ token, event: 'hello', distinct_id: 'jane' })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${server.url}/i/v0/e/`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const facts = (server: Running) =>
    server
      .stdout()
      .replaceAll(server.url, 'URL')
      .split('\n')
      .filter((text) => text !== '')

  it('is shown until the first event has come, then only where to go on', async () => {
    const first = await serve()
    const introduced = facts(first)
    await first.stop()
    const second = await serve()
    expect(facts(second)).toEqual(introduced)
    await hello(second)
    await second.stop('SIGKILL')
    const third = await serve()
    expect(facts(third)).toEqual([
      'Hedgerow is listening on URL',
      `  Data folder     ${folder()}`,
      `  Open this once  the link in ${join(folder(), 'setup-link')}`,
      `  API key         in ${join(folder(), 'first-key')}`,
      `  A new key       HEDGEROW_DATA_DIR=${folder()} node dist/start.cjs keys create --label NAME`,
      '  All operations  URL/api/docs/',
    ])
    const command = /A new key +(.+)NAME/.exec(third.stdout())?.[1]
    const { stdout: key } = await sh('bash', ['-euc', `${command} pasted`])
    expect((await get(third, '/api/users/@me/', key.trim())).status).toBe(200)
  })
  it('is shown though the demo has events', async () => {
    const server = await serve({ args: ['--demo'] })
    expect(server.stdout()).toMatch(/Project token +phc_/)
    await hello(server)
    await server.stop()
    const second = await serve({ args: ['--demo'] })
    expect(second.stdout()).toMatch(/^ {2}Demo project +2 /m)
    expect(second.stdout()).not.toMatch(/Project token/)
  })
  it('does not name the file of a key that was revoked', async () => {
    const first = await serve()
    await first.stop()
    const env = { HEDGEROW_DATA_DIR: folder() }
    const id = (await run(['keys', 'list'], { env })).stdout.split('\n')[1]?.split(' ')[0] ?? ''
    expect((await run(['keys', 'revoke', id, '--force'], { env })).code).toBe(0)
    const second = await serve()
    expect(second.stdout()).not.toContain('first-key')
    expect(second.stdout()).toMatch(/A new key +HEDGEROW_DATA_DIR=.* keys create --label NAME\n/)
    expect(existsSync(join(folder(), 'first-key'))).toBe(false)
  })
  it('says that 0.0.0.0 means all addresses, and names one to open', async () => {
    const server = await serve({ env: { HEDGEROW_HOST: '0.0.0.0' } })
    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(server.stdout()).toContain(`  Open to         all addresses of this machine (0.0.0.0)\n`)
    expect((await fetch(`${server.url}/_health`)).status).toBe(200)
  })
  it('names the public address where there is one', async () => {
    const server = await serve({ env: { HEDGEROW_PUBLIC_URL: 'https://a.example/hr' } })
    expect(server.stdout()).toContain('  Public address  https://a.example/hr\n')
    expect(server.stdout()).toContain("api_host: 'https://a.example/hr'")
    expect(server.stdout()).toContain('All operations: https://a.example/hr/api/docs/\n')
  })
})

describe('on a terminal', () => {
  /** Runs `serve` on a terminal of its own until it prints `until`, or to its end; returns what was printed. */
  async function onTerminal(port: number, until: string): Promise<string> {
    const env = { ...process.env, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: String(port) }
    const command = `exec ${process.execPath} dist/start.cjs serve`
    const child = spawn('script', ['-qefc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    const ended = once(child, 'close')
    await Promise.race([ended, expect.poll(() => text).toContain(until)])
    child.kill('SIGTERM')
    await ended
    return text
  }

  it('the key is shown once, by the first start that can listen', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    expect(await onTerminal(port, 'is in use')).not.toContain('phx_')
    const file = join(folder(), 'first-key')
    const key = readFileSync(file, 'utf8').trim()
    blocker.close()
    const first = await onTerminal(0, 'until the first event')
    expect(first).toContain(`API key         ${key}   (shown this once)`)
    expect(first).toContain(`KEY=${key}`)
    expect(existsSync(file)).toBe(false)
    const second = await onTerminal(0, 'until the first event')
    expect(second).not.toContain('phx_')
    expect(second).toMatch(/Project token +phc_/)
    expect(second).toMatch(/A new key +HEDGEROW_DATA_DIR=/)
  })
})

describe('a start that cannot be', () => {
  it('refuses a folder that another server uses', async () => {
    await serve()
    const second = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' } })
    expect(second.code).toBe(1)
    expect(second.stderr).toBe(`hedgerow: Another Hedgerow server already uses the data folder ${folder()}.\n`)
  })
  it('names a port in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: String(port) } })
    blocker.close()
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(`Port ${port} on 127.0.0.1 is in use. Set HEDGEROW_PORT to another one.`)
    const next = await serve()
    expect(next.stdout()).toMatch(/Project token +phc_/)
    expect(next.stdout()).toContain(`API key         in ${join(folder(), 'first-key')}\n`)
    const key = readFileSync(join(folder(), 'first-key'), 'utf8').trim()
    expect((await get(next, '/api/users/@me/', key)).status).toBe(200)
  })
  it('leaves the mode of a folder that others share', async () => {
    chmodSync(folder(), 0o1777)
    expect((await run(['migrate'], { env: { HEDGEROW_DATA_DIR: folder() } })).code).toBe(0)
    expect(statSync(folder()).mode & 0o7777).toBe(0o1777)
  })
  it('names a setting it does not know or cannot read, never its value', async () => {
    const unknown = await run(['serve'], { env: { HEDGEROW_PROT: 'x' } })
    expect([unknown.code, unknown.stderr.split(' is not')[0]]).toEqual([1, 'hedgerow: HEDGEROW_PROT'])
    const bad = await run(['serve'], { env: { HEDGEROW_API_KEY: 'tiny-secret' } })
    expect(bad.stderr).toMatch(/^hedgerow: HEDGEROW_API_KEY must have at least 20 characters/)
    expect(bad.stderr).not.toContain('tiny-secret')
  })
  it.each(['/proc/nowhere', '/dev/null'])('cannot use %s as its folder', async (dataDir) => {
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: dataDir } })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/^hedgerow: The data folder .* cannot be made or written \(\w+\)\.\n$/)
  })
  it('cannot use a file in the place of the blobs', async () => {
    writeFileSync(join(folder(), 'blobs'), '')
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' } })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/^hedgerow: The folder \S+blobs cannot be made or written \(\w+\)\.\n$/)
  })
  it('refuses data of a newer version', async () => {
    expect((await run(['migrate'], { env: { HEDGEROW_DATA_DIR: folder() } })).code).toBe(0)
    const db = new Database(join(folder(), 'hedgerow.db'))
    db.prepare('insert into schema_migrations (name) values (?)').run('9999-from-the-future')
    db.close()
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder() } })
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('written by a newer Hedgerow')
    expect(result.stderr).not.toContain('    at ')
  })
  it('reports when its lock is not a lock', async () => {
    writeFileSync(join(folder(), 'server.lock'), 'rubbish'.repeat(1_000))
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder() } })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/^hedgerow: .*server\.lock cannot be locked \(SQLITE_NOTADB\); .*\n$/)
  })
  it('reports when the data is not a database', async () => {
    writeFileSync(join(folder(), 'hedgerow.db'), 'rubbish'.repeat(1_000))
    chmodSync(join(folder(), 'hedgerow.db'), 0o600)
    const result = await run(['serve'], { env: { HEDGEROW_DATA_DIR: folder() } })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/^hedgerow: The SQLite file .* cannot be opened/)
  })
})

describe('the end', () => {
  it('comes cleanly on SIGTERM and SIGINT, with running requests answered', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await serve({ env: { HEDGEROW_API_KEY: KEY } })
      const answers = Array.from({ length: 20 }, () => get(server, '/api/projects/'))
      const first = await Promise.race(answers)
      const end = server.stop(signal)
      expect(first.status).toBe(200)
      expect((await end).code).toBe(0)
      const settled = await Promise.allSettled(answers)
      const statuses = settled.map((item) => (item.status === 'fulfilled' ? item.value.status : 0))
      expect(statuses.every((status) => status === 200 || status === 503 || status === 0)).toBe(true)
    }
  })
  it('comes while a client holds a connection and sends nothing, or half a request, and is signalled twice', async () => {
    const server = await serve()
    const { port } = new URL(server.url)
    const sockets = ['', 'GET /_health HT', 'POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'].map(
      (text) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
        socket.on('error', () => {})
        return socket
      },
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    server.child.kill('SIGTERM')
    await expect.poll(() => server.stderr()).toContain('stopping')
    expect((await server.stop()).code).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
  it('comes cleanly when signalled at the very moment the server says that it listens', async () => {
    const preload = `const write = process.stdout.write
      process.stdout.write = (...args) => {
        const done = write.apply(process.stdout, args)
        if (String(args[0]).includes('listening on')) process.kill(process.pid, 'SIGTERM')
        return done
      }`
    const env = { HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' }
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
    expect((await run(['serve'], { env, nodeArgs })).code).toBe(0)
  })
  it('comes when npm is stopped', async () => {
    const env = { ...process.env, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' }
    const npm = spawn('npm', ['start'], { env })
    const url = await new Promise<string>((resolve) => {
      let text = ''
      npm.stdout.on('data', (chunk) => {
        text += chunk
        const match = /listening on (http:\S+)\n/.exec(text)
        if (match?.[1]) resolve(match[1])
      })
    })
    npm.kill('SIGTERM')
    const answers = () =>
      fetch(`${url}/_health`).then(
        () => true,
        () => false,
      )
    while (await answers()) await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await run(['keys', 'list'], { env: { HEDGEROW_DATA_DIR: folder() } })).code).toBe(0)
  })
  it('by SIGKILL loses nothing that was acknowledged', async () => {
    const env = { HEDGEROW_API_KEY: KEY }
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const server = await serve({ env })
      const make = async (n: number) => {
        const label = `k-${round}-${n}`
        const response = await fetch(`${server.url}/api/personal_api_keys/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ label, scopes: ['person:read'] }),
        })
        if (response.status === 201) acknowledged.push(label)
      }
      const stream = (async () => {
        for (let n = 0; ; n++) await make(n)
      })().catch(() => undefined)
      while (acknowledged.length < (round + 1) * 20) await new Promise((resolve) => setTimeout(resolve, 5))
      await server.stop('SIGKILL')
      await stream
    }
    const server = await serve({ env })
    const { results } = (await (await get(server, '/api/personal_api_keys/?limit=1000')).json()) as {
      results: { label: string }[]
    }
    const labels = results.map((row) => row.label)
    expect(acknowledged.filter((label) => !labels.includes(label))).toEqual([])
    expect(new Set(labels).size).toBe(labels.length)
  })
})

describe('the command line', () => {
  it('manages keys, users and projects while the server runs', async () => {
    const server = await serve({ env: { HEDGEROW_API_KEY: KEY } })
    const env = { HEDGEROW_DATA_DIR: folder() }
    const made = await run(['keys', 'create', '--label', 'CI', '--scopes', 'person:read'], { env })
    const key = made.stdout.trim()
    expect((await get(server, '/api/environments/1/persons/1/', key)).status).toBe(404)
    expect((await get(server, '/api/projects/1/', key)).status).toBe(403)
    const listed = await run(['keys', 'list'], { env })
    expect(listed.stdout).not.toContain(key)
    const id =
      listed.stdout
        .split('\n')
        .find((line) => line.endsWith(' CI'))
        ?.split(' ')[0] ?? ''
    expect((await run(['keys', 'revoke', id], { env })).code).toBe(0)
    await expect.poll(async () => (await get(server, '/api/projects/', key)).status).toBe(401)
    expect((await run(['users', 'create', '--email', 'bo@example.com'], { env })).stdout).toMatch(/^Made user 2 /)
    expect((await run(['users', 'create', '--email', 'BO@example.com'], { env })).stderr).toContain('already')
    expect((await run(['keys', 'create', '--label', 'b', '--user', 'bo@example.com'], { env })).code).toBe(0)
    expect((await run(['users', 'remove', 'bo@example.com'], { env })).code).toBe(0)
    expect((await run(['keys', 'list'], { env })).stdout).not.toContain('bo@example.com')
    expect((await run(['projects', 'create', '--name', 'Shop'], { env })).stdout).toMatch(
      /^Made project 2 with token phc_/,
    )
    expect((await run(['projects', 'list'], { env })).stdout).toMatch(/Shop/)
    expect((await get(server, '/api/projects/2/')).status).toBe(200)
  })
  it('migrates an empty folder from several processes at once', async () => {
    const env = { HEDGEROW_DATA_DIR: folder() }
    const results = await Promise.all([1, 2, 3].map(() => run(['migrate'], { env })))
    expect(results.map((result) => [result.code, result.stderr])).toEqual([1, 2, 3].map(() => [0, '']))
    expect(results.filter((result) => result.stdout.startsWith('Applied')).length).toBe(1)
  })
  it('helps, and refuses what it does not know with a message', async () => {
    const help = await run(['--help'])
    expect([help.code, help.stdout.split('\n')[0]]).toEqual([0, 'Hedgerow: product analytics in one process.'])
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const refused = [['nonsense'], ['keys'], ['keys', 'melt'], ['serve', '--nope'], ['users', 'create']]
    const results = await Promise.all(refused.map((args) => run(args, { env: { HEDGEROW_DATA_DIR: folder() } })))
    for (const result of results) {
      expect(result.code).toBe(1)
      expect(result.stderr).toMatch(/^hedgerow: .+\n$/)
    }
  })
})

describe('the network', () => {
  it('is not called: no name is looked up and nothing but the server’s own socket is opened', async () => {
    const spy = join(folder(), 'spy.cjs')
    writeFileSync(
      spy,
      `const net = require('node:net'), dns = require('node:dns')
       const say = (what) => process.stderr.write('OUTBOUND ' + what + '\\n')
       const connect = net.Socket.prototype.connect
       net.Socket.prototype.connect = function (...args) { say('connect'); return connect.apply(this, args) }
       for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
         const real = dns[name]
         dns[name] = (host, ...rest) => { if (!/^(127\\.|localhost$)/.test(host)) say('dns ' + host); return real(host, ...rest) }
       }`,
    )
    const server = await serve({ env: { HEDGEROW_API_KEY: KEY }, nodeArgs: ['--require', spy] })
    for (const path of ['/api/projects/', '/_ready', '/metrics', '/api/environments/1/persons/1/'])
      await get(server, path)
    await server.stop()
    expect(server.stderr()).not.toContain('OUTBOUND')
  })
})
