import { expect, it } from 'vitest'
import { ActivityBand } from './activity-band.ts'
import { CLICK, INCREMENTAL, MOUSE_INTERACTION, MUTATION, type WindowEvent } from './recorded-event.ts'

const HOUR = 3_600_000
const START = 1_700_000_000_000

const event = (after: number, data: object): WindowEvent => ({
  windowId: 'w',
  event: { type: INCREMENTAL, timestamp: START + after, data },
})
const click = (after: number) => event(after, { source: MOUSE_INTERACTION, type: CLICK })
const change = (after: number) => event(after, { source: MUTATION })

const ALL = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

/** The spans of a recording of so many milliseconds, in milliseconds from its start, with a + where the visitor was active. */
function said(band: ActivityBand): string[] {
  return band.spans().map(({ from, to, isActive }) => `${from - START}-${to - START}${isActive ? ' +' : ''}`)
}

it('is active where the visitor did something, and through short pauses', () => {
  const band = new ActivityBand(START, START + 400_000)
  band.add([click(100_000), click(104_500), change(150_000), click(200_000), click(206_000)], ...ALL)
  expect(said(band)).toEqual([
    '0-100000',
    '100000-105000 +',
    '105000-200000',
    '200000-201000 +',
    '201000-206000',
    '206000-207000 +',
    '207000-400000',
  ])
})

it('knows nothing of what was not read, and more with each reading', () => {
  const band = new ActivityBand(START, START + 400_000)
  expect(said(band)).toEqual([])
  band.add([click(300_000)], START + 299_000, START + 350_000)
  expect(said(band)).toEqual(['299000-300000', '300000-301000 +', '301000-351000'])
  band.add([click(10_000), click(300_000)], Number.NEGATIVE_INFINITY, START + 350_000)
  expect(said(band)).toEqual(['0-10000', '10000-11000 +', '11000-300000', '300000-301000 +', '301000-351000'])
})

it('goes on over a short pause between two readings, not back over one', () => {
  const band = new ActivityBand(START, START + 400_000)
  band.add([click(50_000)], START + 40_000, START + 52_000)
  band.add([click(54_000)], START + 52_000, START + 60_000)
  expect(said(band)).toContain('50000-55000 +')
  band.add([click(10_000)], START, START + 40_000)
  expect(said(band)).toEqual(['0-10000', '10000-11000 +', '11000-50000', '50000-55000 +', '55000-61000'])
})

it('has as many spans at most for eight hours of clicks as can be told apart', () => {
  const band = new ActivityBand(START, START + 8 * HOUR)
  const clicks = Array.from({ length: 8 * 60 }, (_, n) => click(n * 60_000 * (1 + (n % 2))))
  band.add(clicks, ...ALL)
  const spans = band.spans()
  expect(spans.length).toBeGreaterThan(10)
  expect(spans.length).toBeLessThanOrEqual(400)
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([START, START + 8 * HOUR])
})

it('leaves out what is before or after the recording, and bears one without length', () => {
  const band = new ActivityBand(START, START + 400_000)
  band.add([click(-5_000), click(500_000)], START - 9_000, START - 1)
  expect(said(band)).toEqual([])
  const short = new ActivityBand(START, START)
  short.add([click(0)], ...ALL)
  expect(short.spans().filter(({ isActive }) => isActive)).toHaveLength(1)
})
