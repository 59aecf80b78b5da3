/** The list of a backup's files with their checksums, as `sha256sum` writes and checks it, written line by line. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { OperatorError } from '../../lib/errors.ts'
import type { Copied } from './copy-file.ts'

export class ChecksumWriter {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  files = 0
  bytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(path: string): Promise<ChecksumWriter> {
    return new ChecksumWriter(await open(path, 'wx', 0o600))
  }

  async add(name: string, { bytes, sha256 }: Copied): Promise<void> {
    const line = `${sha256}  ${name}\n`
    this.#hash.update(line)
    await this.#file.writeFile(line)
    this.files += 1
    this.bytes += bytes
  }

  /** Synced to disk when it resolves; returns the list's own checksum. */
  async end(): Promise<string> {
    await this.#file.sync()
    await this.#file.close()
    return this.#hash.digest('hex')
  }

  /** Without a list that could be used. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined)
  }
}

const LINE = /^([0-9a-f]{64}) {2}([A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*)$/

/** The names of files below a backup, with their checksums. No name leads out of it. */
export async function* readChecksums(path: string): AsyncGenerator<{ name: string; sha256: string }> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, sha256, name] = LINE.exec(line) ?? []
    if (sha256 === undefined || name === undefined || name.split('/').some((part) => part === '.' || part === '..')) {
      throw new OperatorError(
        `${path} has a line that is no checksum of a file: ${JSON.stringify(line.slice(0, 200))}.`,
      )
    }
    yield { name, sha256 }
  }
}
