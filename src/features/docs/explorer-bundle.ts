/**
 * The explorer's program for the browser. It comes inside a module of several megabytes that is imported when
 * the first browser asks for it; kept is only its compressed form.
 */

import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { sha256Hex } from '../../lib/ids.ts'

export interface Asset {
  etag: string
  contentType: string
  /** The body for a client that accepts these encodings. */
  bytes(acceptEncoding: string): { body: string | Buffer | Readable; encoding?: 'gzip' }
}

const compress = promisify(gzip)

/** The plugin knows the bytes but hands them out only as a route, so it is asked as one. */
async function readProgram(): Promise<Buffer> {
  const [{ default: plugin }, { fastify }] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    import('fastify'),
  ])
  const host = fastify()
  try {
    await host.register(plugin, { routePrefix: '/explorer', configuration: { url: '/' } })
    const answer = await host.inject('/explorer/js/scalar.js')
    if (answer.statusCode !== 200) throw new Error(`The explorer's program could not be read (${answer.statusCode}).`)
    return answer.rawPayload
  } finally {
    await host.close()
  }
}

export async function createBundle(): Promise<Asset> {
  const program = await readProgram()
  const compressed = await compress(program)
  return {
    etag: `"${sha256Hex(compressed.toString('latin1')).slice(0, 32)}"`,
    contentType: 'text/javascript; charset=utf-8',
    bytes: (acceptEncoding) => {
      if (/\bgzip\b/i.test(acceptEncoding)) return { body: compressed, encoding: 'gzip' }
      const plain = createGunzip()
      plain.end(compressed)
      return { body: plain }
    },
  }
}
