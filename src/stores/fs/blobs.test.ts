import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { OperatorError } from '../../lib/errors.ts'
import { blobStoreContract } from '../contract/registry.ts'
import { openFileBlobs } from './blobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-blobs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

blobStoreContract('files', () => openFileBlobs(join(folder, 'contract')))

describe('blobs as files', () => {
  it('makes its folders and files accessible to the owner only', async () => {
    const root = join(folder, 'modes')
    await openFileBlobs(root).put('project/session/block', Buffer.from('x'))
    const mode = (path: string) => statSync(join(root, path)).mode & 0o777
    expect(['.', 'project', 'project/session'].map(mode)).toEqual([0o700, 0o700, 0o700])
    expect(mode('project/session/block')).toBe(0o600)
  })

  it('leaves nothing unfinished behind, neither after a put nor after one that fails', async () => {
    const root = join(folder, 'unfinished')
    const store = openFileBlobs(root)
    await store.put('a', Buffer.from('x'))
    await expect(store.put('a/below', Buffer.from('x'))).rejects.toThrow()
    expect(readdirSync(join(root, '~unfinished'))).toEqual([])
  })

  it('removes what a crashed process left half-written, and never lists it', async () => {
    const root = join(folder, 'sweep')
    const store = openFileBlobs(root)
    writeFileSync(join(root, '~unfinished', '1-1'), 'half')
    expect(await store.list('')).toEqual([])
    expect(await store.removeAll('')).toBe(0)
    openFileBlobs(root)
    expect(readdirSync(join(root, '~unfinished'))).toEqual([])
  })

  it('reports a file in place of its folder', () => {
    const root = join(folder, 'file')
    writeFileSync(root, '')
    expect(() => openFileBlobs(root)).toThrow(OperatorError)
    expect(() => openFileBlobs(root)).toThrow(/^The folder .*file cannot be made or written \(\w+\)\.$/)
  })

  it('removes everything there is under the empty prefix', async () => {
    const store = openFileBlobs(join(folder, 'all'))
    await store.put('a', Buffer.from('12'))
    await store.put('b/c', Buffer.from('345'))
    expect(await store.stamp()).toBeNull()
    await store.setStamp({ id: 'x', reached: 1 })
    expect(await store.removeAll('')).toBe(5)
    expect(await store.stamp()).toEqual({ id: 'x', reached: 1 })
    expect(await store.list('')).toEqual([])
    await store.put('b/c', Buffer.from('6'))
    expect(await store.list('')).toEqual(['b/c'])
  })

  it('goes through folders in the order of their names with a slash', async () => {
    const store = openFileBlobs(join(folder, 'order'))
    const keys = ['1/r/a-b/k', '1/r/a/k', '1/r/a/l', '1/r/a0/k', '1/r/B/k', '10/r/a/k', '2/r/a/k', '1-x/r/a/k']
    for (const key of keys) await store.put(key, Buffer.from('x'))
    const met: string[] = []
    for await (const { key } of await store.parts('')) met.push(key)
    expect(met).toEqual(keys.sort())
  })

  it('removes a folder that never got its first file', async () => {
    const root = join(folder, 'empty')
    const store = openFileBlobs(root)
    mkdirSync(join(root, '1/recordings/s'), { recursive: true })
    expect(await store.removeAll('1/recordings/s/')).toBe(0)
    expect(existsSync(join(root, '1/recordings/s'))).toBe(false)
    expect(await store.removeAll('')).toBe(0)
    expect(readdirSync(root)).toEqual(['~unfinished'])
  })

  it('does not answer a ping once its folder is gone', async () => {
    const root = join(folder, 'gone')
    const store = openFileBlobs(root)
    rmSync(root, { recursive: true })
    await expect(store.ping()).rejects.toThrow()
  })
})
