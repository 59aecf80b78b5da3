/** A PNG read back to its pixels, so that tests see what readers see: eight bits, colours with or without alpha. */
import { inflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Red, green and blue, 0 to 255. */
  at(x: number, y: number): [number, number, number]
}

function* chunks(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

/** What the five filters of the format add to a byte. */
const FILTERS = [
  () => 0,
  (left: number) => left,
  (_: number, above: number) => above,
  (left: number, above: number) => (left + above) >> 1,
  paeth,
]

interface Shape {
  width: number
  height: number
  /** Bytes of a pixel. */
  step: number
}

function readHead(head: Buffer | undefined): Shape {
  if (head === undefined) throw new Error('not a PNG')
  const [depth, colour, interlace] = [head[8], head[9], head[12]]
  if (depth !== 8 || (colour !== 2 && colour !== 6) || interlace !== 0) throw new Error('a PNG of another kind')
  return { width: head.readUInt32BE(0), height: head.readUInt32BE(4), step: colour === 6 ? 4 : 3 }
}

/** Rows come with a filter each, which says how a byte differs from its neighbours. */
function unfilter(raw: Buffer, { width, height, step }: Shape): Buffer {
  const row = width * step
  // A missing row above or pixel to the left counts as zero.
  const bytes = Buffer.alloc((row + step) * (height + 1))
  const byte = (from: Buffer, place: number): number => from[place] ?? 0
  for (let y = 0; y < height; y += 1) {
    const filter = FILTERS[byte(raw, y * (row + 1))] ?? paeth
    for (let x = 0; x < row; x += 1) {
      const place = (y + 1) * (row + step) + step + x
      const above = place - row - step
      const guess = filter(byte(bytes, place - step), byte(bytes, above), byte(bytes, above - step))
      bytes[place] = (byte(raw, y * (row + 1) + 1 + x) + guess) & 0xff
    }
  }
  return bytes
}

export function readPixels(png: Buffer): Pixels {
  const all = [...chunks(png)]
  const shape = readHead(all.find(({ type }) => type === 'IHDR')?.data)
  const { width, height, step } = shape
  const raw = inflateSync(Buffer.concat(all.filter(({ type }) => type === 'IDAT').map(({ data }) => data)))
  const bytes = unfilter(raw, shape)
  const at = (x: number, y: number): [number, number, number] => {
    const place = (y + 1) * (width + 1) * step + (x + 1) * step
    return [bytes[place] ?? 0, bytes[place + 1] ?? 0, bytes[place + 2] ?? 0]
  }
  return { width, height, at }
}

export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** How many pixels of an area are dark, and how far to the right the last of them is (-1 for none). */
export function darkIn(pixels: Pixels, { x, y, width, height }: Area): { count: number; last: number } {
  let [count, last] = [0, -1]
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) {
      if (Math.max(...pixels.at(column, row)) > 110) continue
      count += 1
      last = Math.max(last, column)
    }
  }
  return { count, last }
}
