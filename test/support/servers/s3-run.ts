/** Before the tests: one S3 for the whole run. */
import type { TestProject } from 'vitest/node'
import { type S3Server, startS3 } from './s3.ts'

declare module 'vitest' {
  interface ProvidedContext {
    s3: Pick<S3Server, 'endpoint' | 'bucket' | 'path'>
  }
}

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoint, bucket, path, stop } = await startS3()
  project.provide('s3', { endpoint, bucket, path })
  return stop
}
