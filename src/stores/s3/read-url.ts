/** HEDGEROW_BLOBS_URL → where the bucket is. What is not known in it is refused with a sentence, which never has the secret. */
import { checkParameters, decodedPart, refuserOf } from '../store-url.ts'

export interface S3Address {
  bucket: string
  /** Before the name of each object; '' or with a `/` at its end. */
  prefix: string
  /** Undefined: as the AWS SDK finds it, in AWS_REGION or its own files. */
  region: string | undefined
  /** Undefined: Amazon's. */
  endpoint: string | undefined
  /** Whether the bucket is the first part of the path, not of the host's name. */
  pathStyle: boolean
  /** Undefined: as the AWS SDK finds them, in its variables, its own files, or by the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const EXAMPLE = 's3://bucket/folder?region=eu-central-1'
const PARAMETERS = ['region', 'endpoint', 'path_style']
/** Services that are not Amazon's want one, whichever it is. */
const ANY_REGION = 'us-east-1'

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/
const FOLDER = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/
const REGION = /^[a-z0-9-]{2,40}$/

const refuse = refuserOf('HEDGEROW_BLOBS_URL')

const decoded = (part: string): string => decodedPart(part, 'key', refuse)

function readCredentials({ username, password }: URL): S3Address['credentials'] {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '')
    refuse('must have both the id and the secret of the key, as in s3://id:secret@bucket, or neither')
  return { accessKeyId: decoded(username), secretAccessKey: decoded(password) }
}

function readEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  const isAddress = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  return isAddress ? text : refuse('has an endpoint that is no address such as https://storage.example.com')
}

function readPathStyle(text: string | null, endpoint: string | undefined): boolean {
  // Services of one's own rarely have a name for each bucket.
  if (text === null) return endpoint !== undefined
  return ['true', 'false'].includes(text) ? text === 'true' : refuse('has a path_style that is neither true nor false')
}

function readRegion(text: string | null, endpoint: string | undefined): string | undefined {
  if (text === null) return endpoint === undefined ? undefined : ANY_REGION
  return REGION.test(text) ? text : refuse('has a region that is none')
}

export function readS3Url(text: string): S3Address {
  if (!URL.canParse(text)) refuse(`must be a URL such as ${EXAMPLE}`)
  const url = new URL(text)
  const { searchParams } = url
  checkParameters(searchParams, PARAMETERS, refuse)
  if (url.port !== '') refuse('has a port behind the bucket; the address of a service is its endpoint')
  if (!BUCKET.test(url.hostname)) refuse(`must name a bucket, as in ${EXAMPLE}`)
  const folder = url.pathname.replace(/^\/|\/$/g, '')
  if (folder !== '' && !FOLDER.test(folder)) refuse('has a folder with other than letters, digits, ".", "_" and "-"')
  const endpoint = readEndpoint(searchParams.get('endpoint'))
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    region: readRegion(searchParams.get('region'), endpoint),
    endpoint,
    pathStyle: readPathStyle(searchParams.get('path_style'), endpoint),
    credentials: readCredentials(url),
  }
}
