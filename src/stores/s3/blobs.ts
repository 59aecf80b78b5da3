/**
 * Blobs as objects in a bucket of S3, or of a service that speaks like it. A blob that was put is an object with its key
 * as the name. What is appended cannot be: each piece is an object of its own, named by key and offset. Of whole keys,
 * ranges of the object are read.
 *
 * The keys that are appended to are known to one process only (see features/replay/recorder.ts), so it remembers where
 * each ends and asks only for others.
 */
import { randomUUID } from 'node:crypto'
import { errorText, OperatorError, StoreUnavailable } from '../../lib/errors.ts'
import { createLruMap } from '../../lib/lists/lru-map.ts'
import { type BlobPart, type BlobStore, isWhole } from '../../model/blob.ts'
import { OWN, prefixSegments, segmentsOf } from '../blob-keys.ts'
import { NOBODY_IS_TOLD } from '../presence-parts.ts'
import { type Objects, openBucket, type StoredObject } from './client.ts'
import { wordsOf } from './failures.ts'
import { readS3Url } from './read-url.ts'

const STAMP = `${OWN}installation`
const PROBE = `${OWN}probe`

/** More than are appended to at a time. */
const MAX_ENDS = 20_000

/** Throws when it is no key. */
const checked = (key: string): string => segmentsOf(key).join('/')

const piecesOf = (key: string): string => `${key}${OWN}`
const pieceAt = (key: string, offset: number): string => `${piecesOf(key)}${offset}`

const startOf = (prefix: string): string => {
  const segments = prefixSegments(prefix)
  return segments.length === 0 ? '' : `${segments.join('/')}/`
}

/** What the store keeps for itself at the top is none of the blobs. */
const isBlob = (name: string): boolean => !name.startsWith(OWN)
const keyOf = (name: string): string => name.split(OWN, 1)[0] as string

const partOf = ({ name, bytes, changedAt }: StoredObject): BlobPart => {
  const key = keyOf(name)
  const offset = name === key ? 0 : Number(name.slice(piecesOf(key).length))
  return { key, offset, bytes, changedAt }
}

async function* partsOf(objects: AsyncIterable<StoredObject>): AsyncGenerator<BlobPart> {
  for await (const object of objects) if (isBlob(object.name)) yield partOf(object)
}

function blobsIn(objects: Objects): BlobStore {
  /** Where the pieces end that this process has appended, by key. */
  let ends = createLruMap<number>(MAX_ENDS)
  const listed = async (start: string): Promise<StoredObject[]> => {
    const found: StoredObject[] = []
    for await (const object of objects.each(start)) found.push(object)
    return found
  }
  const blobsBelow = async (prefix: string) => (await listed(startOf(prefix))).filter(({ name }) => isBlob(name))
  const remove = async (names: string[]) => {
    await objects.remove(names)
    ends = createLruMap(MAX_ENDS)
  }

  async function endsAt(key: string, at: number): Promise<boolean> {
    if (ends.take(key) === at) return true
    const pieces = await listed(piecesOf(key))
    return pieces.some(({ name, bytes }) => Number(name.slice(piecesOf(key).length)) + bytes === at)
  }

  return {
    put: async (key, bytes) => objects.put(checked(key), bytes),
    async append(key, bytes, at) {
      checked(key)
      if (at > 0 && !(await endsAt(key, at))) return false
      await objects.put(pieceAt(key, at), bytes)
      ends.set(key, at + bytes.length)
      return true
    },
    async read(key, offset, length) {
      if (isWhole(key)) return objects.getRange(checked(key), offset, length)
      const piece = await objects.get(pieceAt(checked(key), offset))
      return piece?.length === length ? piece : null
    },
    get: async (key) => objects.get(checked(key)),
    async remove(key) {
      const pieces = await listed(piecesOf(checked(key)))
      const names = pieces.map(({ name }) => name)
      if (await objects.has(key)) names.push(key)
      await remove(names)
      return names.length > 0
    },
    async removeAll(prefix) {
      const found = await blobsBelow(prefix)
      await remove(found.map(({ name }) => name))
      return found.reduce((sum, { bytes }) => sum + bytes, 0)
    },
    async list(prefix) {
      const found = await blobsBelow(prefix)
      return [...new Set(found.map(({ name }) => keyOf(name)))].sort()
    },
    parts: async (prefix) => partsOf(objects.each(startOf(prefix))),
    async removeParts(parts) {
      // Which of the two an object was, a put or a first append, its key does not always say.
      const names = parts.flatMap(({ key, offset }) => {
        const piece = pieceAt(checked(key), offset)
        if (isWhole(key)) return [key]
        return offset === 0 ? [key, piece] : [piece]
      })
      await objects.remove(names)
      for (const { key } of parts) ends.take(key)
    },
    async stamp() {
      const found = await objects.get(STAMP)
      return found === null ? null : JSON.parse(found.toString())
    },
    setStamp: ({ id, reached }) => objects.put(STAMP, Buffer.from(JSON.stringify({ id, reached }))),
    ping: async () => void (await objects.has(STAMP)),
  }
}

const refusal = (what: string, cause: unknown): OperatorError =>
  new OperatorError(`HEDGEROW_BLOBS_URL cannot be used: ${what}.`, cause)

/** Writes, reads and deletes an object: what is wrong with bucket, key or clock shows now, not with the first recording. */
async function tryOut(objects: Objects): Promise<void> {
  const name = `${PROBE}-${randomUUID()}`
  const bytes = Buffer.from(name)
  let isSame: boolean
  try {
    await objects.put(name, bytes)
    isSame = (await objects.get(name))?.equals(bytes) ?? false
    await objects.remove([name])
    isSame &&= !(await objects.has(name))
  } catch (error) {
    const { cause } = error as Error
    throw refusal(wordsOf(cause), error)
  }
  if (!isSame) throw refusal('what is written, read and deleted there comes out differently', undefined)
}

/** Without changing anything. */
export const inspectS3Blobs = async (url: string): Promise<Pick<BlobStore, 'stamp' | 'read'>> =>
  blobsIn(await openBucket(readS3Url(url), NOBODY_IS_TOLD))

/** What is to be said of the bucket; null: nothing. Changes nothing. */
export async function findBucketProblem(url: string): Promise<string | null> {
  try {
    const objects = await openBucket(readS3Url(url), NOBODY_IS_TOLD)
    await objects.get(STAMP)
    if (!(await objects.keepsVersions())) return null
    return 'the bucket keeps versions: what is deleted stays in it until a rule of its own removes old versions'
  } catch (error) {
    return error instanceof StoreUnavailable ? wordsOf(error.cause) : errorText(error)
  }
}

export async function openS3Blobs(url: string, presence = NOBODY_IS_TOLD): Promise<BlobStore> {
  const objects = await openBucket(readS3Url(url), presence)
  await tryOut(objects)
  return blobsIn(objects)
}
