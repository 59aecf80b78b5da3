import { describe, expect, it } from 'vitest'
import { decompressEvent } from './decompress.ts'

async function pack(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
const event = (type: number, data: unknown) => ({ type, timestamp: 1, cv: '2024-10', data })

describe('events compressed inside', () => {
  it('get their full snapshot back', async () => {
    const data = { node: { id: 1, text: 'Grüße 🦔' }, initialOffset: { top: 0, left: 0 } }
    expect((await decompressEvent(event(2, await pack(data)))).data).toEqual(data)
  })
  it('get the fields of a mutation back, empty ones too, again and again', async () => {
    const data = { texts: [], attributes: [{ id: 4, attributes: { class: 'x' } }], removes: [], adds: [] }
    const entries = Object.entries(data).map(async ([name, value]) => [name, await pack(value)] as const)
    const packed = { source: 0, ...Object.fromEntries(await Promise.all(entries)) }
    for (let round = 0; round < 2; round++) {
      const { data: unpacked } = await decompressEvent(event(3, packed))
      expect(unpacked).toEqual({ source: 0, ...data })
      unpacked.texts.push('changed by the player')
    }
  })
  it('get the rules of a style sheet back and keep what is missing missing', async () => {
    const packed = { source: 8, id: 3, adds: await pack([{ rule: 'a{}' }]) }
    const { data } = await decompressEvent(event(3, packed))
    expect(data).toEqual({ source: 8, id: 3, adds: [{ rule: 'a{}' }] })
    expect('removes' in data).toBe(false)
  })
  it('pass as they are when they are not, or when nothing in them is packed', async () => {
    const plain = { type: 2, timestamp: 1, data: { node: {} } }
    expect(await decompressEvent(plain)).toBe(plain)
    const move = event(3, { source: 1, positions: [] })
    expect(await decompressEvent(move)).toBe(move)
  })
})
