/**
 * S3 on loopback: s3rver, which accepts any secret, behind a proxy that behaves, or misbehaves, as configured.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface S3Request {
  method: string
  /** Of the object, without the bucket. */
  name: string
  query: URLSearchParams
}

/**
 * What happens to a request: `pass`, an error of S3 by its status and code, silence, an answer that is cut off after the
 * request was carried out or in the middle of its body, or a success that nothing is behind.
 */
type S3Wish = 'pass' | { status: number; code: string } | 'stall' | 'cut' | 'half' | 'lie'

export interface S3Server {
  /** Of a bucket of its own. */
  url(folder?: string): string
  endpoint: string
  bucket: string
  /** Where the objects of the bucket are. */
  path: string
  requests: S3Request[]
  behave(behaviour: (request: S3Request) => S3Wish): void
  stop(): Promise<void>
}

const BUCKET = 'recordings'
const PROGRAM = join(import.meta.dirname, 's3rver-process.mjs')

const errorXml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

/** The last one that writes or removes: s3rver would mix those of one object and end when its folder goes, S3 does not. */
let changing: Promise<unknown> = Promise.resolve()

async function pass(from: IncomingMessage, to: ServerResponse, port: number, wish: S3Wish): Promise<void> {
  const { method, url: path = '', headers } = from
  if (method !== 'GET' && method !== 'HEAD') {
    const before = changing
    changing = once(to, 'close')
    await before
  }
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    if (wish === 'cut') {
      answer.resume().on('end', () => to.socket?.destroy())
      return
    }
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    if (wish === 'half')
      answer.once('data', (part: Buffer) => to.write(part.subarray(0, 3), () => to.socket?.destroy()))
    else answer.pipe(to)
  })
  onward.on('error', () => to.destroy())
  from.pipe(onward)
}

export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'hedgerow-s3-'))
  const store = spawn(process.execPath, ['--openssl-legacy-provider', PROGRAM, directory, BUCKET], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(store.stdout, 'data')
  const port = Number(String(line))
  const requests: S3Request[] = []
  let behaviour: (request: S3Request) => S3Wish = () => 'pass'
  const proxy = createServer((from, to) => {
    const { pathname, searchParams } = new URL(from.url ?? '/', 'http://s3')
    const [, , ...name] = decodeURIComponent(pathname).split('/')
    const asked = { method: from.method ?? '', name: name.join('/'), query: searchParams }
    requests.push(asked)
    const wish = behaviour(asked)
    if (wish === 'stall') return void from.resume()
    if (wish === 'lie') return void from.resume().on('end', () => to.writeHead(200, { etag: '"0"' }).end())
    if (typeof wish === 'object') {
      from
        .resume()
        .on('end', () => to.writeHead(wish.status, { 'content-type': 'application/xml' }).end(errorXml(wish.code)))
      return
    }
    void pass(from, to, port, wish)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    url: (folder = '') => `s3://S3RVER:S3RVER@${BUCKET}/${folder}?endpoint=${encodeURIComponent(endpoint)}`,
    endpoint,
    bucket: BUCKET,
    path: join(directory, BUCKET),
    requests,
    behave(next) {
      behaviour = next
    },
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      store.stdin.end()
      await once(store, 'exit')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
