/**
 * Static files for browsers. A file is read when it is first requested; only its compressed form stays in memory,
 * with an ETag of its bytes, so that a browser that has it gets a 304.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import type { RawAnswer } from '../raw-routes.ts'
import { etagOf, isCurrent } from './etag.ts'

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

export const makeAsset = async (bytes: string | Buffer, contentType: string): Promise<Asset> => ({
  etag: etagOf(bytes),
  contentType,
  gzipped: await compress(bytes),
})

export async function readAsset(path: string): Promise<Asset> {
  return makeAsset(await readFile(path), TYPES[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream')
}

/** Reads each path once; a failure is not remembered. */
export function keepAssets(): (path: string) => Promise<Asset> {
  const kept = new Map<string, () => Promise<Asset>>()
  return (path) => {
    const read = kept.get(path) ?? loadOnce(() => readAsset(path))
    kept.set(path, read)
    return read()
  }
}

/** The bytes, or only 304 when the browser has them. */
export async function answerAsset(
  { etag, contentType, gzipped }: Asset,
  headers: Record<string, string | string[] | undefined>,
  cacheControl: string,
): Promise<RawAnswer> {
  const caching = { etag, 'cache-control': cacheControl, vary: 'Origin, Accept-Encoding' }
  if (isCurrent(headers, etag)) return { status: 304, contentType, body: null, headers: caching }
  if (!/\bgzip\b/i.test(String(headers['accept-encoding'] ?? ''))) {
    return { status: 200, contentType, body: await expand(gzipped), headers: caching }
  }
  return { status: 200, contentType, body: gzipped, headers: { ...caching, 'content-encoding': 'gzip' } }
}
