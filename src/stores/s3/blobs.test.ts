import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3 } from '../../../test/support/servers/s3.ts'
import { OperatorError, StoreUnavailable } from '../../lib/errors.ts'
import { blobStoreContract } from '../contract/registry.ts'
import { openS3Blobs } from './blobs.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterEach(() => s3.behave(() => 'pass'))
afterAll(() => s3.stop())

blobStoreContract('S3', () => openS3Blobs(s3.url('contract/of/blobs')))

const bytes = (text: string) => Buffer.from(text)

describe('blobs in S3', () => {
  it('keeps folders of one bucket apart', async () => {
    const [one, other] = await Promise.all(['a', 'a-b'].map((folder) => openS3Blobs(s3.url(folder))))
    await one?.put('k', bytes('one'))
    await other?.put('k', bytes('other'))
    await one?.setStamp({ id: 'one', reached: 1 })
    expect([await one?.list(''), await other?.list('')]).toEqual([['k'], ['k']])
    expect(await other?.stamp()).toBeNull()
    expect(await one?.removeAll('')).toBe(3)
    expect(await other?.get('k')).toEqual(bytes('other'))
    expect(await one?.stamp()).toEqual({ id: 'one', reached: 1 })
  })

  it('lists and removes more than a page of objects, each page when it is asked for', async () => {
    const store = await openS3Blobs(s3.url('many'))
    const keys = Array.from({ length: 1_100 }, (_, i) => `k/${String(i).padStart(5, '0')}`)
    for (let start = 0; start < keys.length; start += 100)
      await Promise.all(keys.slice(start, start + 100).map((key) => store.put(key, bytes('xy'))))
    expect(await store.list('k')).toEqual(keys)
    s3.requests.length = 0
    const parts = (await store.parts('k'))[Symbol.asyncIterator]()
    // A page that takes long on a busy machine is asked for once more.
    const pages = () => new Set(s3.requests.map(({ query }) => query.toString())).size
    await parts.next()
    expect(pages()).toBe(1)
    let count = 1
    while (!(await parts.next()).done) count += 1
    expect([count, pages()]).toEqual([1_100, 2])
    expect(await store.removeAll('k')).toBe(2_200)
    expect(await store.list('')).toEqual([])
  })

  it('asks for nothing before it appends to what it has begun itself', async () => {
    const store = await openS3Blobs(s3.url('asks'))
    s3.requests.length = 0
    let at = 0
    for (let i = 0; i < 5; i++) {
      expect(await store.append('f', bytes('abc'), at)).toBe(true)
      at += 3
    }
    expect(s3.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT', 'PUT', 'PUT'])
    const again = await openS3Blobs(s3.url('asks'))
    expect(await again.append('f', bytes('d'), 14)).toBe(false)
    expect(await again.append('f', bytes('d'), 15)).toBe(true)
    expect(await again.read('f', 12, 3)).toEqual(bytes('abc'))
  })

  it('removes a piece, and leaves one that comes after it under the same key', async () => {
    const store = await openS3Blobs(s3.url('pieces'))
    await store.append('s/f', bytes('abc'), 0)
    await store.append('s/f', bytes('de'), 3)
    const other = await openS3Blobs(s3.url('pieces'))
    await store.removeParts([
      { key: 's/f', offset: 0 },
      { key: 's/f', offset: 3 },
    ])
    expect(await store.append('s/f', bytes('f'), 5)).toBe(false)
    await other.append('s/f', bytes('new'), 0)
    expect(await other.append('s/f', bytes('x'), 3)).toBe(true)
    await store.removeParts([{ key: 's/f', offset: 0 }])
    expect(await store.read('s/f', 3, 1)).toEqual(bytes('x'))
    expect(await store.read('s/f', 0, 3)).toBeNull()
  })

  it.each([
    ['is refused', { status: 503, code: 'SlowDown' }],
    ['is silent', 'stall'],
    ['cuts the connection', 'cut'],
  ] as const)('is unavailable while the service %s, and works again afterwards', async (_, wish) => {
    const store = await openS3Blobs(s3.url('trouble'))
    await store.put('k', bytes('before'))
    s3.behave(() => wish)
    const calls = [
      () => store.put('k', bytes('after')),
      () => store.get('k'),
      () => store.append('f', bytes('x'), 0),
      () => store.read('f', 0, 1),
      () => store.list(''),
      () => store.remove('k'),
      () => store.removeAll(''),
      async () => (await store.parts(''))[Symbol.asyncIterator]().next(),
      () => store.removeParts([{ key: 'k', offset: 0 }]),
      () => store.ping(),
    ]
    const failures = await Promise.all(
      calls.map((call) =>
        call().then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    )
    for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailable)
    s3.behave(() => 'pass')
    await store.put('k', bytes('again'))
    expect(await store.get('k')).toEqual(bytes('again'))
  })

  it('does not take half a body for a whole one', async () => {
    const store = await openS3Blobs(s3.url('half'))
    await store.append('f', Buffer.alloc(200_000, 'x'), 0)
    s3.behave(({ method }) => (method === 'GET' ? 'half' : 'pass'))
    await expect(store.read('f', 0, 200_000)).rejects.toBeInstanceOf(StoreUnavailable)
  })

  it('tries again by itself after a refusal that passes', async () => {
    const store = await openS3Blobs(s3.url('passing'))
    let refusals = 0
    s3.behave(() => (refusals++ < 1 ? { status: 503, code: 'SlowDown' } : 'pass'))
    await store.put('k', bytes('x'))
    expect(refusals).toBe(2)
    expect(await store.get('k')).toEqual(bytes('x'))
  })
})

describe('a start on S3', () => {
  it.each([
    ['InvalidAccessKeyId', 403, 'the id of the key is not known there'],
    ['SignatureDoesNotMatch', 403, 'the secret does not belong to the id of the key'],
    ['AccessDenied', 403, 'the key may not do that'],
    ['RequestTimeTooSkewed', 403, 'the clock of this machine differs too much from theirs'],
  ])('is refused with a sentence after %s', async (code, status, words) => {
    s3.behave(({ method }) => (method === 'PUT' ? { status, code } : 'pass'))
    const opening = openS3Blobs(s3.url())
    await expect(opening).rejects.toBeInstanceOf(OperatorError)
    await expect(opening).rejects.toThrow(`HEDGEROW_BLOBS_URL cannot be used: ${words}.`)
  })

  it('is refused where the bucket is missing, nobody answers, reading or deleting is not allowed, or nothing is kept', async () => {
    await expect(openS3Blobs(s3.url().replace('recordings', 'nowhere'))).rejects.toThrow('there is no such bucket')
    await expect(openS3Blobs('s3://a:b@bucket/?endpoint=http://127.0.0.1:9')).rejects.toThrow('nobody answers')
    for (const forbidden of ['GET', 'POST']) {
      s3.behave(({ method }) => (method === forbidden ? { status: 403, code: 'AccessDenied' } : 'pass'))
      await expect(openS3Blobs(s3.url())).rejects.toThrow('the key may not do that')
    }
    s3.behave(({ method }) => (method === 'PUT' ? 'lie' : 'pass'))
    await expect(openS3Blobs(s3.url())).rejects.toThrow('comes out differently')
  })

  it('leaves no object behind', async () => {
    const store = await openS3Blobs(s3.url('clean'))
    expect(await store.list('')).toEqual([])
    const [put] = s3.requests.slice(-5).filter(({ method }) => method === 'PUT')
    expect(put?.name).toMatch(/^clean\/~probe-/)
  })
})
