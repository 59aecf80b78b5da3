/**
 * Files that browsers are given as they are. A file is read when it is first asked for; kept is only its
 * compressed form, with an ETag of its bytes, so that who has it already is told so and nothing more.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { RawAnswer } from '../raw-routes.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

export interface Asset {
  etag: string
  contentType: string
  gzipped: Buffer
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export async function readAsset(path: string): Promise<Asset> {
  const bytes = await readFile(path)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 24)
  const contentType = TYPES[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream'
  return { etag: `"${hash}"`, contentType, gzipped: await compress(bytes) }
}

/** Reads each path once; a failure is not remembered. */
export function keepAssets(): (path: string) => Promise<Asset> {
  const kept = new Map<string, Promise<Asset>>()
  return (path) => {
    const known = kept.get(path)
    if (known) return known
    const reading = readAsset(path)
    kept.set(path, reading)
    reading.catch(() => kept.delete(path))
    return reading
  }
}

/** The bytes, or only 304 when the browser has them. */
export async function answerAsset(
  { etag, contentType, gzipped }: Asset,
  headers: Record<string, string | string[] | undefined>,
  cacheControl: string,
): Promise<RawAnswer> {
  const caching = { etag, 'cache-control': cacheControl, vary: 'Origin, Accept-Encoding' }
  const known = String(headers['if-none-match'] ?? '').replaceAll('W/', '')
  if (known.split(',').some((tag) => tag.trim() === etag)) {
    return { status: 304, contentType, body: null, headers: caching }
  }
  if (!/\bgzip\b/i.test(String(headers['accept-encoding'] ?? ''))) {
    return { status: 200, contentType, body: await expand(gzipped), headers: caching }
  }
  return { status: 200, contentType, body: gzipped, headers: { ...caching, 'content-encoding': 'gzip' } }
}
