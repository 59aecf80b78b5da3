/** What went wrong with S3: for the operator in a sentence, for a request as 503. */
import { StoreUnavailable } from '../../lib/errors.ts'

/** As the AWS SDK throws it. */
interface S3Failure {
  name?: string
  message?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const WORDS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'the id of the key is not known there',
  SignatureDoesNotMatch: 'the secret does not belong to the id of the key',
  AccessDenied: 'the key may not do that',
  ExpiredToken: 'the credentials have expired',
  RequestTimeTooSkewed: 'the clock of this machine differs too much from theirs',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  CredentialsProviderError: 'no credentials were found in the URL, in the environment or on this machine',
  ENOTFOUND: 'the host of the endpoint is not known',
  ECONNREFUSED: 'nobody answers at the endpoint',
  TimeoutError: 'it did not answer in time',
}

const failureOf = (error: unknown): S3Failure => (typeof error === 'object' && error !== null ? error : {})

/** Of answers that say no more. */
const BY_STATUS: Record<number, string> = { 301: 'PermanentRedirect', 403: 'AccessDenied', 404: 'NoSuchBucket' }

/** A part of a sentence. */
export function wordsOf(error: unknown): string {
  const { name = '', message = '', code = '', $metadata } = failureOf(error)
  const byStatus = BY_STATUS[$metadata?.httpStatusCode ?? 0] ?? ''
  return WORDS[code] ?? WORDS[name] ?? WORDS[byStatus] ?? (message.replaceAll(/\s+/g, ' ').replace(/\.$/, '') || name)
}

/** Whether there is no such object, or no such range of it; a bucket that is missing is something else. */
export const isMissing = (error: unknown): boolean => {
  const { name = '', $metadata } = failureOf(error)
  return ['NoSuchKey', 'InvalidRange'].includes(name) || (name === 'NotFound' && $metadata?.httpStatusCode === 404)
}

/** Every failure of a request that is no answer about an object: what was to be written may have been. */
export const asUnavailable = (error: unknown): StoreUnavailable => new StoreUnavailable('blobs_away', error)
