import { describe, expect, it } from 'vitest'
import { OperatorError } from '../../lib/errors.ts'
import { readS3Url } from './read-url.ts'

describe('the URL of a bucket', () => {
  it('names bucket, folder, key and region; what is left out is for the SDK to find', () => {
    expect(readS3Url('s3://recordings')).toEqual({
      bucket: 'recordings',
      prefix: '',
      region: undefined,
      endpoint: undefined,
      pathStyle: false,
      credentials: undefined,
    })
    expect(readS3Url('s3://AKIA:a%2Fb%2Bc@my.bucket/a/b/?region=eu-central-1')).toEqual({
      bucket: 'my.bucket',
      prefix: 'a/b/',
      region: 'eu-central-1',
      endpoint: undefined,
      pathStyle: false,
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'a/b+c' },
    })
  })

  it('names the endpoint of another service, where the bucket is in the path unless it says otherwise', () => {
    const url = 's3://id:secret@bucket/?endpoint=http://127.0.0.1:9000'
    expect(readS3Url(url)).toMatchObject({ endpoint: 'http://127.0.0.1:9000', region: 'us-east-1', pathStyle: true })
    expect(readS3Url(`${url}&path_style=false&region=auto`)).toMatchObject({ region: 'auto', pathStyle: false })
  })

  it.each([
    ['no bucket', 's3://', 'must name a bucket'],
    ['a bucket with a slash in its place', 's3:///folder', 'must name a bucket'],
    ['a port', 's3://bucket:9000/', 'a port behind the bucket'],
    ['half a key', 's3://id@bucket/', 'both the id and the secret'],
    ['a secret that is not encoded', 's3://id:100%25%zz@bucket', 'a percent sign'],
    ['an unknown parameter', 's3://bucket?colour=red', 'the parameter colour'],
    ['a parameter twice', 's3://bucket?region=a1&region=a2', 'the parameter region twice'],
    ['an endpoint that is none', 's3://bucket?endpoint=storage', 'an endpoint that is no address'],
    ['an endpoint with a password', 's3://bucket?endpoint=http://a:hidden@b', 'an endpoint that is no address'],
    ['a path style that is none', 's3://bucket?path_style=yes', 'neither true nor false'],
    ['a region that is none', 's3://bucket?region=', 'a region that is none'],
    ['a folder with a space', 's3://bucket/a%20b', 'a folder with other than'],
  ])('with %s is refused, without its secret', (_, url, words) => {
    const read = () => readS3Url(url)
    expect(read).toThrow(OperatorError)
    expect(read).toThrow(words)
    expect(read).not.toThrow(/100%|hidden/)
  })
})
