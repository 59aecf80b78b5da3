import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { GrowingBytes } from './growing-bytes.ts'

async function read(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of bytes) text += chunk.toString()
  return text
}

it('are read as they come, from the beginning, by any number of readers', async () => {
  const bytes = new GrowingBytes()
  const first = read(bytes)
  for (const text of ['a', 'b', 'c']) {
    bytes.add(Buffer.from(text))
    await turn()
  }
  const second = read(bytes)
  bytes.add(Buffer.from('d'))
  bytes.end()
  expect(await Promise.all([first, second, read(bytes)])).toEqual(['abcd', 'abcd', 'abcd'])
})

it('may be none', async () => {
  const bytes = new GrowingBytes()
  bytes.end()
  expect(await read(bytes)).toBe('')
})

it('fail for those who read them, and for those who come later', async () => {
  const bytes = new GrowingBytes()
  bytes.add(Buffer.from('a'))
  const reading = expect(read(bytes)).rejects.toThrow('cannot be written')
  await turn()
  bytes.fail(new Error('It cannot be written.'))
  await reading
  await expect(read(bytes)).rejects.toThrow('cannot be written')
})
