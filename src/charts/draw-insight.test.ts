import { Resvg } from '@resvg/resvg-js'
import { describe, expect, it } from 'vitest'
import {
  makeByDomain,
  makeFunnel,
  makeRetention,
  makeSteps,
  makeTrend,
  makeTrendRow,
  samples,
  wave,
} from '../../test/support/deliveries/results.ts'
import { THEMES } from '../insight-display/theme.ts'
import { drawDashboard, drawInsight } from './draw-insight.ts'

const look = { theme: 'light', width: 600 } as const
const names = Object.keys(samples)

/** Throws unless it is an XML document that a strict reader takes; gives its size. */
function read(svg: string): { width: number; height: number } {
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } })
  return { width, height }
}

const idsOf = (svg: string) => Array.from(svg.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
const usedIds = (svg: string) => Array.from(svg.matchAll(/url\(#([^)]+)\)/g), ([, id]) => id)
const sizesOf = (svg: string) => Array.from(svg.matchAll(/font-size[=:]"?([\d.]+)/g), ([, size]) => Number(size))

describe.each(names)('%s', (name) => {
  const result = samples[name] ?? null

  it.each(THEMES)('is a well-formed picture with its title, %s', async (theme) => {
    const svg = await drawInsight({ title: 'Orders & <returns>', result, theme, width: 600 })
    expect(read(svg).width).toBe(600)
    expect(svg).toContain('>Orders &amp; &lt;returns&gt;</text>')
  })

  it('is the same picture every time', async () => {
    const first = await drawInsight({ title: 'Orders', result, ...look })
    await drawInsight({ title: 'Something between', result: samples.lines ?? null, ...look })
    expect(await drawInsight({ title: 'Orders', result, ...look })).toBe(first)
  })

  it('has no letters below twelve pixels, also where it is narrow', async () => {
    const sizes = sizesOf(await drawInsight({ title: 'Orders', result, theme: 'light', width: 320 }))
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12)
  })

  it('says nothing that is no number', async () => {
    expect(await drawInsight({ title: 'Orders', result, ...look })).not.toMatch(/NaN|undefined|Infinity/)
  })
})

describe('what is drawn', () => {
  it('says so when there are more values than a picture holds, instead of drawing them all', async () => {
    const rows = (count: number) => Array.from({ length: 25 }, () => makeTrendRow({ data: new Array(count).fill(1) }))
    for (const display of ['ActionsLineGraph', 'ActionsBar']) {
      const svg = await drawInsight({ title: 'Hours', result: makeTrend(rows(1_001), display), ...look })
      expect(svg.length).toBeLessThan(5_000)
      expect(svg).toContain('25,025 values are too many for a picture')
    }
    const drawn = await drawInsight({ title: 'Hours', result: makeTrend(rows(1_000)), ...look })
    expect(drawn).not.toContain('too many')
  })

  it('says so when there is no data', async () => {
    const empty = [
      samples.empty ?? null,
      makeTrend([]),
      makeTrend([], 'BoldNumber'),
      makeByDomain('ActionsPie', []),
      makeFunnel([]),
      makeFunnel(makeSteps([0, 0])),
      makeRetention(0),
      makeRetention(3, 0),
      { kind: 'LifecycleQuery' as const, interval: 'day', rows: [] },
    ]
    for (const result of empty) {
      const svg = await drawInsight({ title: 'Nothing', result, ...look })
      expect(svg).toContain('>No data in this period</text>')
      read(svg)
    }
  })

  it('shows a number that is zero', async () => {
    const zero = makeTrend([makeTrendRow({ data: [], aggregated_value: 0 })], 'BoldNumber')
    expect(await drawInsight({ title: 'Errors', result: zero, ...look })).toContain('>0</text>')
  })

  it('shows why there is no result', async () => {
    const svg = await drawInsight({
      title: 'Broken',
      result: null,
      error: 'The query took too long & was stopped.',
      ...look,
    })
    expect(svg).toContain('>The query took too long &amp; was stopped.</text>')
    expect(await drawInsight({ title: 'Broken', result: null, ...look })).toContain('could not be computed')
  })

  it('limits the legend and says how many lines are not named', async () => {
    const svg = await drawInsight({ title: 'Browsers', result: samples['many-lines'] ?? null, ...look })
    expect(svg).toContain('>Browser 8</text>')
    expect(svg).toContain('>6 more</text>')
    expect(svg).not.toContain('>Browser 9</text>')
  })

  it('limits lists and says how many rows are left out', async () => {
    const domains = Array.from({ length: 30 }, (_, at) => `site-${at + 1}.example`)
    for (const display of ['ActionsBarValue', 'ActionsTable']) {
      const svg = await drawInsight({ title: 'Sites', result: makeByDomain(display, domains), ...look })
      expect(svg).toContain('>site-12.example</text>')
      expect(svg).not.toContain('>site-13.example</text>')
      expect(svg).toContain('>18 more</text>')
    }
  })

  it('writes large numbers short and shares as percent', async () => {
    expect(await drawInsight({ title: 'Big', result: samples.number ?? null, ...look })).toContain('>1.2M</text>')
    expect(await drawInsight({ title: 'Shop', result: samples.funnel ?? null, ...look })).toContain(
      '>1.6K · 12.5%</text>',
    )
    expect(await drawInsight({ title: 'Back', result: samples.retention ?? null, ...look })).toContain('>52%</text>')
    const axis = await drawInsight({
      title: 'Axis',
      result: makeTrend([makeTrendRow({ data: wave(9, 25_000) })]),
      ...look,
    })
    expect(axis).toMatch(/>\d+K<\/text>/)
  })

  it('draws an interval that is not over as something unfinished, and says so', async () => {
    const wallNow = Date.UTC(2026, 10, 30, 9)
    const over = await drawInsight({ title: 'A', result: samples.line ?? null, ...look })
    const open = await drawInsight({ title: 'A', result: samples.line ?? null, ...look, wallNow })
    expect(over).not.toContain('stroke-dasharray')
    expect(open).toContain('stroke-dasharray')
    expect(open).toContain('>1 Nov – 30 Nov 2026 · 30 Nov is not over</text>')
    const pale = (svg: string) => svg.match(/(?:fill-)?opacity="0.55"/g)?.length ?? 0
    const bars = await drawInsight({ title: 'A', result: samples.bar ?? null, ...look, wallNow })
    expect(pale(bars)).toBe(1)
    expect(await drawInsight({ title: 'A', result: samples.bar ?? null, ...look, wallNow: wallNow + 86_400_000 })).toBe(
      await drawInsight({ title: 'A', result: samples.bar ?? null, ...look }),
    )
  })

  it('shows the days it covers unless there is a subtitle', async () => {
    const result = samples.line ?? null
    expect(await drawInsight({ title: 'A', result, ...look })).toContain('>1 Nov – 30 Nov 2026</text>')
    const withSubtitle = await drawInsight({ title: 'A', subtitle: 'Last 30 days', result, ...look })
    expect(withSubtitle).toContain('>Last 30 days</text>')
    expect(withSubtitle).not.toContain('30 Nov 2026')
  })

  it.each([
    ['markup', '</text><script>alert(1)</script>]]><!-- & "quotes" \' &amp;'],
    ['what XML cannot hold', 'a\0b\u0001c\uFFFEd\uD800e\uDC00f'],
    ['emoji and other scripts', '🦔👩‍👩‍👧‍👦 日本語 العربية नमस्ते ñ'],
    ['a word without end', 'x'.repeat(5_000)],
    ['nothing', ''],
  ])('takes %s as title, name and error', async (_what, text) => {
    const row = makeTrendRow({ name: text, breakdown_value: text })
    for (const display of ['ActionsLineGraph', 'ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber']) {
      const result = makeTrend([row, { ...row, action: { ...row.action, order: 1 } }], display)
      read(await drawInsight({ title: text, subtitle: text, result, ...look }))
    }
    const steps = makeSteps([5, 3], text).map((step) => ({ ...step, name: text }))
    read(await drawInsight({ title: text, result: makeFunnel([steps, steps]), ...look }))
    read(await drawInsight({ title: text, result: null, error: text, ...look }))
  })
})

describe('a dashboard', () => {
  const tiles = names.slice(0, 6).map((name) => ({ title: `The ${name}`, result: samples[name] ?? null }))

  it.each([360, 600, 1_200])('has all its tiles in one picture %d wide', async (width) => {
    const svg = await drawDashboard({ title: 'My App', tiles, theme: 'dark', width })
    expect(read(svg).width).toBe(width)
    const places = tiles.map(({ title }) => svg.indexOf(`>${title}</text>`))
    expect(places.every((place) => place > 0)).toBe(true)
    expect([...places].sort((one, other) => one - other)).toEqual(places)
  })

  it('keeps the ids of its tiles apart', async () => {
    const svg = await drawDashboard({ title: 'My App', tiles, theme: 'light', width: 600 })
    const ids = idsOf(svg)
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(usedIds(svg).every((id) => ids.includes(id))).toBe(true)
  })

  it('says so when it is empty', async () => {
    const svg = await drawDashboard({ title: 'My App', tiles: [], ...look })
    expect(svg).toContain('>This dashboard has no insights</text>')
    read(svg)
  })
})
