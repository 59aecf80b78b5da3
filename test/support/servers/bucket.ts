/** What a test gets of S3: a folder of its own in the bucket of the run. */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

export interface TestBucket {
  /** As Hedgerow is given it. */
  url: string
  /** Where its objects are. */
  path: string
  drop(): Promise<void>
  /** What is in it, while nobody writes to it. */
  copy(): Promise<TestBucket>
}

export async function newBucket(): Promise<TestBucket> {
  const { endpoint, bucket, path } = inject('s3')
  const name = randomBytes(8).toString('hex')
  const folder = join(path, name)
  mkdirSync(folder)
  return {
    url: `s3://S3RVER:S3RVER@${bucket}/${name}?endpoint=${encodeURIComponent(endpoint)}`,
    path: folder,
    async drop() {
      rmSync(folder, { recursive: true, force: true })
    },
    async copy() {
      const other = await newBucket()
      cpSync(folder, other.path, { recursive: true })
      return other
    },
  }
}
