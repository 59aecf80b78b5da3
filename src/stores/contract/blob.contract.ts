/** What every BlobStore must do. Each test uses a prefix of its own. */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type BlobPart, type BlobStore, wholeKey } from '../../model/blob.ts'

const bytes = (text: string) => Buffer.from(text)

export type Opened = () => { store: BlobStore; prefix: string }

export function puttingAndGetting(opened: Opened): void {
  it('returns exactly the bytes that were put', async () => {
    const { store, prefix } = opened()
    const noise = randomBytes(3_000_000)
    await store.put(`${prefix}/noise.bin`, noise)
    await store.put(`${prefix}/nothing`, Buffer.alloc(0))
    expect((await store.get(`${prefix}/noise.bin`))?.equals(noise)).toBe(true)
    expect(await store.get(`${prefix}/nothing`)).toEqual(Buffer.alloc(0))
  })

  it('returns null for a key that was never put, for one above and one below an existing key', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/a/b`, bytes('x'))
    expect(await store.get(`${prefix}/never`)).toBeNull()
    expect(await store.get(`${prefix}/a`)).toBeNull()
    expect(await store.get(`${prefix}/a/b/c`)).toBeNull()
  })

  it('replaces a blob completely, also when several write at once', async () => {
    const { store, prefix } = opened()
    const versions = ['a', 'b', 'c', 'd'].map((letter) => bytes(letter.repeat(200_000)))
    await Promise.all(versions.map((version) => store.put(`${prefix}/k`, version)))
    const left = await store.get(`${prefix}/k`)
    expect(versions.some((version) => left?.equals(version))).toBe(true)
    await store.put(`${prefix}/k`, bytes('short'))
    expect(await store.get(`${prefix}/k`)).toEqual(bytes('short'))
  })

  it('keeps its own copy of the bytes', async () => {
    const { store, prefix } = opened()
    const given = bytes('before')
    await store.put(`${prefix}/k`, given)
    given.fill('x')
    expect(await store.get(`${prefix}/k`)).toEqual(bytes('before'))
  })

  it('answers a ping', async () => {
    await expect(opened().store.ping()).resolves.toBeUndefined()
  })
}

export function removing(opened: Opened): void {
  it('removes one key and returns whether it existed', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/a`, bytes('1'))
    await store.put(`${prefix}/ab`, bytes('2'))
    expect(await store.remove(`${prefix}/a`)).toBe(true)
    expect(await store.remove(`${prefix}/a`)).toBe(false)
    expect(await store.get(`${prefix}/a`)).toBeNull()
    expect(await store.get(`${prefix}/ab`)).toEqual(bytes('2'))
  })

  it('does not remove what is below a key', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/a/b`, bytes('1'))
    expect(await store.remove(`${prefix}/a`)).toBe(false)
    expect(await store.list(prefix)).toEqual([`${prefix}/a/b`])
  })

  it('removes everything under a prefix, returns the number of bytes, and keeps similar prefixes', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/s1/block-1`, bytes('12345'))
    await store.put(`${prefix}/s1/deep/er/block-2`, bytes('123'))
    await store.put(`${prefix}/s10/block-1`, bytes('kept'))
    expect(await store.removeAll(`${prefix}/s1`)).toBe(8)
    expect(await store.list(prefix)).toEqual([`${prefix}/s10/block-1`])
    expect(await store.removeAll(`${prefix}/s1`)).toBe(0)
    expect(await store.removeAll(`${prefix}/s10/`)).toBe(4)
    expect(await store.list(prefix)).toEqual([])
  })

  it('can be written to again after everything was removed', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/a/b`, bytes('1'))
    await store.removeAll(prefix)
    await store.put(`${prefix}/a/b`, bytes('2'))
    expect(await store.get(`${prefix}/a/b`)).toEqual(bytes('2'))
  })

  it('lets puts and removals of the same prefix overlap', async () => {
    const { store, prefix } = opened()
    const rounds = Array.from({ length: 40 }, (_, i) => i)
    await Promise.all(
      rounds.flatMap((i) => [store.put(`${prefix}/f/${i % 5}/k${i}`, bytes('x')), store.removeAll(`${prefix}/f`)]),
    )
    for (const key of await store.list(prefix)) expect(await store.get(key)).toEqual(bytes('x'))
  })
}

export function listing(opened: Opened): void {
  it('lists the keys below a prefix, sorted, and nothing for a missing one', async () => {
    const { store, prefix } = opened()
    for (const key of ['b', 'a/2', 'a/10', 'a-b', 'A', 'a/c/d.bin']) await store.put(`${prefix}/${key}`, bytes('x'))
    const all = ['A', 'a-b', 'a/10', 'a/2', 'a/c/d.bin', 'b'].map((key) => `${prefix}/${key}`)
    expect(await store.list(prefix)).toEqual(all)
    expect(await store.list(`${prefix}/a`)).toEqual(all.slice(2, 5))
    expect(await store.list(`${prefix}/a/`)).toEqual(all.slice(2, 5))
    expect(await store.list(`${prefix}/none`)).toEqual([])
    expect(await store.list('')).toEqual(expect.arrayContaining(all))
  })

  it('keeps its installation stamp, apart from all blobs', async () => {
    const { store, prefix } = opened()
    await store.put(`${prefix}/a`, bytes('x'))
    const before = await store.list('')
    for (const reached of [1, 2]) {
      const stamp = { id: randomUUID(), reached }
      await store.setStamp(stamp)
      expect(await store.stamp()).toEqual(stamp)
    }
    expect(await store.list('')).toEqual(before)
  })

  it.each([
    ['a folder above', '../x'],
    ['a folder above, inside', 'a/../../x'],
    ['the folder itself', 'a/./b'],
    ['a key from the root', '/etc/passwd'],
    ['an empty segment', 'a//b'],
    ['a slash at the end', 'a/'],
    ['nothing', ''],
    ['a NUL', 'a\0b'],
    ['a backslash', 'a\\b'],
    ['a letter outside the alphabet', 'ä'],
    ['an unending key', 'a/'.repeat(2_000).concat('b')],
  ])('refuses a key with %s', async (_, key) => {
    const { store } = opened()
    await expect(store.put(key, bytes('x'))).rejects.toThrow()
    await expect(store.get(key)).rejects.toThrow()
    await expect(store.remove(key)).rejects.toThrow()
    await expect(store.append(key, bytes('x'), 0)).rejects.toThrow()
    await expect(store.read(key, 0, 1)).rejects.toThrow()
  })

  it('refuses prefixes that lead outside', async () => {
    const { store } = opened()
    await expect(store.list('..')).rejects.toThrow()
    await expect(store.removeAll('a/../..')).rejects.toThrow()
    await expect(store.removeAll('/')).rejects.toThrow()
  })
}

export function appending(opened: Opened): void {
  it('grows by appends, and returns each range as it was written', async () => {
    const { store, prefix } = opened()
    const key = `${prefix}/s/0`
    const stretches = [randomBytes(70_000), bytes('x'), randomBytes(3_000)]
    let at = 0
    for (const stretch of stretches) {
      expect(await store.append(key, stretch, at)).toBe(true)
      at += stretch.length
    }
    expect((await store.read(key, 0, 70_000))?.equals(stretches[0] as Buffer)).toBe(true)
    expect(await store.read(key, 70_000, 1)).toEqual(bytes('x'))
    expect((await store.read(key, 70_001, 3_000))?.equals(stretches[2] as Buffer)).toBe(true)
  })

  it('drops what is beyond the offset that is appended to', async () => {
    const { store, prefix } = opened()
    const key = `${prefix}/s/0`
    await store.append(key, bytes('kept'), 0)
    await store.append(key, bytes('lost, and longer'), 4)
    expect(await store.append(key, bytes('new'), 4)).toBe(true)
    expect(await store.read(key, 0, 4)).toEqual(bytes('kept'))
    expect(await store.read(key, 4, 3)).toEqual(bytes('new'))
    expect(await store.read(key, 4, 16)).toBeNull()
    expect(await store.append(key, bytes('again'), 0)).toBe(true)
    expect(await store.read(key, 0, 5)).toEqual(bytes('again'))
  })

  it('refuses to append after missing bytes, and creates nothing', async () => {
    const { store, prefix } = opened()
    expect(await store.append(`${prefix}/s/0`, bytes('x'), 4)).toBe(false)
    expect(await store.list(prefix)).toEqual([])
    await store.append(`${prefix}/s/0`, bytes('abc'), 0)
    expect(await store.append(`${prefix}/s/0`, bytes('x'), 4)).toBe(false)
    expect(await store.read(`${prefix}/s/0`, 0, 3)).toEqual(bytes('abc'))
    await store.removeAll(`${prefix}/s`)
    expect(await store.append(`${prefix}/s/0`, bytes('x'), 3)).toBe(false)
    expect(await store.list(prefix)).toEqual([])
  })

  it('returns null for a range that is not there', async () => {
    const { store, prefix } = opened()
    await store.append(`${prefix}/s/0`, bytes('abc'), 0)
    expect(await store.read(`${prefix}/never`, 0, 1)).toBeNull()
    expect(await store.read(`${prefix}/s`, 0, 1)).toBeNull()
    expect(await store.read(`${prefix}/s/0`, 3, 1)).toBeNull()
  })

  it('removes what was appended, with everything else under the prefix', async () => {
    const { store, prefix } = opened()
    await store.append(`${prefix}/s/0`, bytes('abc'), 0)
    await store.append(`${prefix}/s/0`, bytes('de'), 3)
    expect(await store.removeAll(`${prefix}/s/`)).toBe(5)
    expect(await store.read(`${prefix}/s/0`, 0, 3)).toBeNull()
  })

  it('grows under different keys at once', async () => {
    const { store, prefix } = opened()
    const keys = Array.from({ length: 20 }, (_, i) => `${prefix}/${i}/0`)
    const grow = async (key: string) => {
      for (let i = 0; i < 10; i++) expect(await store.append(key, bytes(`${key}#${i}`.padEnd(50)), i * 50)).toBe(true)
    }
    await Promise.all(keys.map(grow))
    for (const key of keys) expect(await store.read(key, 350, 50)).toEqual(bytes(`${key}#7`.padEnd(50)))
  })
}

const allParts = async (store: BlobStore, prefix: string): Promise<BlobPart[]> => {
  const found: BlobPart[] = []
  for await (const part of await store.parts(prefix)) found.push(part)
  return found
}

/** Whatever is stored as one, the bytes under a key are in its parts, one after the other. */
const bytesOf = (parts: BlobPart[], key: string): number =>
  parts
    .filter((part) => part.key === key)
    .sort((a, b) => a.offset - b.offset)
    .reduce((end, part) => {
      expect(part.offset).toBe(end)
      return end + part.bytes
    }, 0)

export function keepingParts(opened: Opened): void {
  it('reads any range of a whole key, and null beyond its end', async () => {
    const { store, prefix } = opened()
    const noise = randomBytes(300_000)
    const key = wholeKey(`${prefix}/s/0`)
    await store.put(key, noise)
    for (const [start, end] of [
      [0, 300_000],
      [0, 2],
      [1_000, 250_000],
      [299_999, 300_000],
    ] as const) {
      expect((await store.read(key, start, end - start))?.equals(noise.subarray(start, end))).toBe(true)
    }
    expect(await store.read(key, 299_999, 2)).toBeNull()
    expect(await store.read(key, 300_000, 1)).toBeNull()
    expect(await store.read(wholeKey(`${prefix}/s/1`), 0, 1)).toBeNull()
  })

  it('gives every part with its size and when it was written', async () => {
    const { store, prefix } = opened()
    const key = `${prefix}/s/0`
    await store.append(key, bytes('abc'), 0)
    await store.append(key, bytes('defgh'), 3)
    await store.put(wholeKey(`${prefix}/s/1`), bytes('xy'))
    await store.put(`${prefix}/s/2`, bytes('z'))
    const parts = await allParts(store, `${prefix}/s`)
    expect([key, wholeKey(`${prefix}/s/1`), `${prefix}/s/2`].map((one) => bytesOf(parts, one))).toEqual([8, 2, 1])
    // Machines on which nothing is older than their clock; seconds, as S3 has it.
    for (const { changedAt } of parts) expect(Math.abs(Date.now() - changedAt)).toBeLessThan(600_000)
    expect((await allParts(store, `${prefix}/s/`)).length).toBe(parts.length)
    expect(await allParts(store, `${prefix}/none`)).toEqual([])
    await expect(allParts(store, '..')).rejects.toThrow()
  })

  it('goes through folders one after the other', async () => {
    const { store, prefix } = opened()
    const folders = ['1/r/a-b', '1/r/a', '1/r/a0', '1/r/B', '10/r/a', '2/r/a', '1-x/r/a']
    for (const folder of folders) {
      await store.append(`${prefix}/${folder}/k`, bytes('abc'), 0)
      await store.append(`${prefix}/${folder}/k`, bytes('d'), 3)
      await store.put(wholeKey(`${prefix}/${folder}/0`), bytes('x'))
    }
    const met = (await allParts(store, prefix)).map(({ key }) => key.slice(prefix.length + 1, key.lastIndexOf('/') + 1))
    const once = met.filter((folder, i) => folder !== met[i - 1])
    expect(once.sort()).toEqual(folders.map((folder) => `${folder}/`).sort())
    await store.setStamp({ id: randomUUID(), reached: 1 })
    expect((await allParts(store, '')).every(({ key }) => !key.includes('~'))).toBe(true)
  })

  it('removes the parts that are named, and nothing else', async () => {
    const { store, prefix } = opened()
    const [kept, gone, whole] = [`${prefix}/s/kept`, `${prefix}/s/gone`, wholeKey(`${prefix}/s/0`)]
    for (const key of [kept, gone]) {
      await store.append(key, bytes('abc'), 0)
      await store.append(key, bytes('de'), 3)
    }
    await store.put(whole, bytes('xyz'))
    await store.put(`${prefix}/s/1`, bytes('put'))
    const parts = await allParts(store, prefix)
    await store.removeParts(parts.filter(({ key }) => key !== kept))
    expect(await store.list(prefix)).toEqual([kept])
    expect(await store.read(kept, 0, 3)).toEqual(bytes('abc'))
    expect(await store.read(kept, 3, 2)).toEqual(bytes('de'))
    await store.removeParts(parts.filter(({ key }) => key !== kept))
    await store.removeParts([])
    expect(await store.append(kept, bytes('f'), 5)).toBe(true)
    expect(await store.append(gone, bytes('f'), 5)).toBe(false)
    await expect(store.removeParts([{ key: '../x', offset: 0 }])).rejects.toThrow()
  })
}
