/** The requests to S3 that are made, each within a time limit. */
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { type PresenceParts, Standing } from '../presence-parts.ts'
import { asUnavailable, isMissing, wordsOf } from './failures.ts'
import type { S3Address } from './read-url.ts'

/** Of one request, with its repetitions. */
const LIMIT_MS = 20_000
const CONNECT_MS = 3_000
/** Of the silence of a connection. */
const SILENCE_MS = 6_000
const ATTEMPTS = 3
const MAX_CONNECTIONS = 64
/** Most names in one request to delete. */
const DELETED_AT_ONCE = 1_000

export interface StoredObject {
  name: string
  bytes: number
  changedAt: number
}

/** Objects by name, below the prefix of the address. */
export interface Objects {
  put(name: string, bytes: Buffer): Promise<void>
  /** Null when there is none. */
  get(name: string): Promise<Buffer | null>
  /** A range of one; null when there is none, or fewer bytes. */
  getRange(name: string, offset: number, length: number): Promise<Buffer | null>
  /** Whether there is one. */
  has(name: string): Promise<boolean>
  /** All whose names begin with this, page by page; S3 itself orders them by their bytes. */
  each(start: string): AsyncGenerator<StoredObject>
  remove(names: string[]): Promise<void>
  /** Whether the bucket keeps what is deleted. */
  keepsVersions(): Promise<boolean>
}

type Sdk = typeof import('@aws-sdk/client-s3')

const settingsOf = ({ region, endpoint, pathStyle, credentials }: S3Address): S3ClientConfig => ({
  ...(region !== undefined && { region }),
  ...(endpoint !== undefined && { endpoint }),
  ...(credentials && { credentials }),
  forcePathStyle: pathStyle,
  maxAttempts: ATTEMPTS,
  // Services of other makers do not know the newer ones.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: {
    connectionTimeout: CONNECT_MS,
    requestTimeout: SILENCE_MS,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
    httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
  },
})

/** Loaded when first needed: it takes as long as the rest of a start. */
async function loadSdk(): Promise<Sdk> {
  // It prints that its versions of next year need a newer Node; ours stays the same.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  return import('@aws-sdk/client-s3')
}

/** Ends with the signal also while the body comes in, which the SDK does not. */
async function readBody(body: NodeJS.ReadableStream & AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer> {
  const stream = body as unknown as import('node:stream').Readable
  const stop = () => stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop)
  try {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part)
    return Buffer.concat(parts)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

class BucketObjects implements Objects {
  readonly #sdk: Sdk
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #standing: Standing

  constructor(sdk: Sdk, address: S3Address, presence: PresenceParts) {
    this.#standing = new Standing(presence)
    this.#sdk = sdk
    this.#client = new sdk.S3Client(settingsOf(address))
    this.#bucket = address.bucket
    this.#prefix = address.prefix
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const command = new this.#sdk.PutObjectCommand({ ...this.#place(name), Body: bytes, ContentLength: bytes.length })
    await this.#within((abortSignal) => this.#client.send(command, { abortSignal }))
  }

  async get(name: string): Promise<Buffer | null> {
    return this.#read(name, undefined)
  }

  async getRange(name: string, offset: number, length: number): Promise<Buffer | null> {
    const bytes = await this.#read(name, `bytes=${offset}-${offset + length - 1}`)
    return bytes?.length === length ? bytes : null
  }

  async has(name: string): Promise<boolean> {
    const command = new this.#sdk.HeadObjectCommand(this.#place(name))
    return (await this.#unlessMissing((abortSignal) => this.#client.send(command, { abortSignal }))) !== null
  }

  async *each(start: string): AsyncGenerator<StoredObject> {
    let token: string | undefined
    do {
      const input = { Bucket: this.#bucket, Prefix: this.#prefix + start, ContinuationToken: token }
      const command = new this.#sdk.ListObjectsV2Command(input)
      const page = await this.#within((abortSignal) => this.#client.send(command, { abortSignal }))
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        // Without a date it is as young as can be: only what is old is ever removed for its age.
        const changedAt = LastModified?.getTime() ?? Number.POSITIVE_INFINITY
        yield { name: Key.slice(this.#prefix.length), bytes: Size, changedAt }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async remove(names: string[]): Promise<void> {
    for (let start = 0; start < names.length; start += DELETED_AT_ONCE) {
      const these = names.slice(start, start + DELETED_AT_ONCE).map((name) => ({ Key: this.#prefix + name }))
      const command = new this.#sdk.DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects: these, Quiet: true },
      })
      const { Errors = [] } = await this.#within((abortSignal) => this.#client.send(command, { abortSignal }))
      const [first] = Errors
      if (first)
        throw asUnavailable(new Error(`${Errors.length} objects were not deleted: ${first.Code} ${first.Message}`))
    }
  }

  async keepsVersions(): Promise<boolean> {
    const command = new this.#sdk.GetBucketVersioningCommand({ Bucket: this.#bucket })
    const { Status } = await this.#within((abortSignal) => this.#client.send(command, { abortSignal }))
    return Status !== undefined
  }

  async #read(name: string, range: string | undefined): Promise<Buffer | null> {
    const command = new this.#sdk.GetObjectCommand({ ...this.#place(name), Range: range })
    return this.#unlessMissing(async (abortSignal) => {
      const { Body } = await this.#client.send(command, { abortSignal })
      return readBody(Body as never, abortSignal)
    })
  }

  #place(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }

  async #within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      const result = await work(AbortSignal.timeout(LIMIT_MS))
      this.#standing.answered()
      return result
    } catch (error) {
      this.#standing.failed(wordsOf(error))
      throw asUnavailable(error)
    }
  }

  async #unlessMissing<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    return this.#within(async (signal) => {
      try {
        return await work(signal)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    })
  }
}

export const openBucket = async (address: S3Address, presence: PresenceParts): Promise<Objects> =>
  new BucketObjects(await loadSdk(), address, presence)
