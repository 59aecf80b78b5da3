import { expect, it } from 'vitest'
import { darkIn, readPixels } from '../../test/support/browser/pixels.ts'
import { samples } from '../../test/support/deliveries/results.ts'
import { drawInsight } from './draw-insight.ts'
import { toPng } from './png.ts'
import { svgDocument, text } from './svg-shapes.ts'
import { textWidth } from './svg-text.ts'

const SCALE = 2
/** Where a title of one line stands on a card. */
const TITLE_AREA = { x: 30, y: 44, width: 900, height: 40 }

async function draw(title: string) {
  const svg = await drawInsight({ title, result: samples.number ?? null, theme: 'light', width: 600 })
  return readPixels(await toPng(svg))
}

it('has twice the pixels of the page', async () => {
  const svg = await drawInsight({ title: 'Sizes', result: samples.line ?? null, theme: 'light', width: 500 })
  const height = Number(/ height="(\d+)"/.exec(svg)?.[1])
  expect(readPixels(await toPng(svg))).toMatchObject({ width: 500 * SCALE, height: height * SCALE })
})

it('really draws the title', async () => {
  const [short, long] = [await draw('Orders'), await draw('Orders of the whole week')]
  const [few, many] = [darkIn(short, TITLE_AREA), darkIn(long, TITLE_AREA)]
  // Without a font both are empty; a font for lack of another would have other widths.
  expect(few.count).toBeGreaterThan(500)
  expect(many.count).toBeGreaterThan(2 * few.count)
  const wanted = 40 + SCALE * textWidth('Orders', { size: 18, bold: true })
  expect(Math.abs(few.last - wanted)).toBeLessThan(6)
})

it('draws something for what the font lacks', async () => {
  expect(darkIn(await draw('日本語'), TITLE_AREA).count).toBeGreaterThan(100)
  expect(darkIn(await draw('🦔'), TITLE_AREA).count).toBeGreaterThan(30)
})

it.each([
  ['The quick brown fox, 0123456789 (50%)', false],
  ['jumps over THE LAZY DOG; "twice" & <more>', true],
])('draws text as wide as it was measured: %s', async (content, bold) => {
  const font = { size: 20, bold }
  // The last letter fills its advance nearly whole.
  const svg = svgDocument(800, 60, '', text(`${content}H`, { ...font, x: 0, y: 40, fill: '#000000' }))
  const { last } = darkIn(
    readPixels(await toPng(svg.replace('<title>', '<rect width="100%" height="100%" fill="#fff"/><title>'))),
    {
      x: 0,
      y: 0,
      width: 1_600,
      height: 120,
    },
  )
  const measured = SCALE * textWidth(`${content}H`, font)
  expect(measured - last).toBeGreaterThan(0)
  expect(measured - last).toBeLessThan(12)
})

it('has an opaque background in both themes', async () => {
  for (const [theme, shade] of [
    ['light', 255],
    ['dark', 27],
  ] as const) {
    const svg = await drawInsight({ title: 'Ground', result: samples.line ?? null, theme, width: 400 })
    const pixels = readPixels(await toPng(svg))
    expect(pixels.at(10, 10)[0]).toBe(shade)
    expect(pixels.at(pixels.width - 10, pixels.height - 10)[0]).toBe(shade)
  }
})

it('draws many at once', async () => {
  const svg = await drawInsight({ title: 'Many', result: samples.line ?? null, theme: 'light', width: 300 })
  const all = await Promise.all(Array.from({ length: 6 }, () => toPng(svg)))
  expect(new Set(all.map((png) => png.toString('base64'))).size).toBe(1)
})
