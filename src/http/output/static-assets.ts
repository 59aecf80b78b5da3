/**
 * Static files for browsers. A file is read when it is first requested; only its compressed forms stay in memory, each
 * made when it is first asked for, with an ETag of its bytes, so that a browser that has it gets a 304. Files whose
 * compressed forms lie beside them stay on the disk.
 */
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import type { RawAnswer } from '../raw-routes.ts'
import { type Coding, chooseCoding } from './accept-encoding.ts'
import { compressBytes, SMALL } from './compression.ts'
import { etagOf, isCurrent } from './etag.ts'

const expand = promisify(gunzip)

export interface Asset {
  etag: string
  contentType: string
  /** Null: as it is. */
  inCoding: (coding: Coding | null) => Promise<Buffer>
  /** Too small to be sent compressed. */
  isSmall: boolean
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

const typeOf = (path: string): string => TYPES[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream'

export async function makeAsset(bytes: string | Buffer, contentType: string): Promise<Asset> {
  const gzipped = await compressBytes(bytes, 'gzip')
  const plain = (): Promise<Buffer> => expand(gzipped)
  const brotli = loadOnce(async () => compressBytes(await plain(), 'br'))
  const forms = { gzip: async () => gzipped, br: brotli }
  return {
    etag: etagOf(bytes),
    contentType,
    inCoding: (coding) => (coding === null ? plain() : forms[coding]()),
    isSmall: Buffer.byteLength(bytes) <= SMALL,
  }
}

export async function readAsset(path: string): Promise<Asset> {
  return makeAsset(await readFile(path), typeOf(path))
}

const ENDINGS: Record<Coding, string> = { br: '.br', gzip: '.gz' }

/**
 * A file with its compressed forms beside it, or without any when it is too small; null when there is none. Nothing of it
 * is kept: each time it is read anew. Its tag is made of its name, size and date.
 */
export async function openBuiltAsset(path: string): Promise<Asset | null> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return null
  const compressed = await stat(path + ENDINGS.br).catch(() => null)
  return {
    etag: etagOf(path.slice(path.lastIndexOf('/') + 1), String(found.size), String(found.mtimeMs)),
    contentType: typeOf(path),
    inCoding: (coding) => readFile(coding === null ? path : path + ENDINGS[coding]),
    isSmall: compressed === null,
  }
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

/** The bytes, or only 304 when the browser has them. Vary, and the ETag of a compressed form, see compression.ts. */
export async function answerAsset(
  { etag, contentType, inCoding, isSmall }: Asset,
  headers: Record<string, string | string[] | undefined>,
  cacheControl: string,
): Promise<RawAnswer> {
  const caching = { etag, 'cache-control': cacheControl }
  if (isCurrent(headers, etag)) return { status: 304, contentType, body: null, headers: caching }
  const coding = isSmall ? null : chooseCoding(headers['accept-encoding'] as string | undefined)
  const body = await inCoding(coding)
  return {
    status: 200,
    contentType,
    body,
    headers: coding === null ? caching : { ...caching, 'content-encoding': coding },
  }
}
