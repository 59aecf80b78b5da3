import { expect, it } from 'vitest'
import { makeFunnel, makeTrend, makeTrendRow } from '../../test/support/deliveries/results.ts'
import { incompleteInterval } from './incomplete-interval.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const last = (day: string, interval: string) =>
  makeTrend([makeTrendRow({ data: [1], days: [day] })], 'ActionsLineGraph', interval)

it.each([
  ['2026-11-15', 'day', '2026-11-15T00:00', '15 Nov'],
  ['2026-11-15', 'day', '2026-11-15T23:59', '15 Nov'],
  ['2026-11-15', 'day', '2026-11-16T00:00', null],
  ['2026-11-15', 'day', '2026-11-14T23:00', null],
  ['2026-11-15', 'week', '2026-11-21T23:00', '15 Nov'],
  ['2026-11-15', 'week', '2026-11-22T00:00', null],
  ['2026-11-01', 'month', '2026-11-30T12:00', 'Nov 2026'],
  ['2026-11-01', 'month', '2026-12-01T00:00', null],
  ['2026-11-15 13:00:00', 'hour', '2026-11-15T13:59', '15 Nov 13:00'],
  ['2026-11-15 13:00:00', 'hour', '2026-11-15T14:00', null],
])('%s by the %s, seen at %s: %s', (day, interval, now, said) => {
  expect(incompleteInterval(last(day, interval), at(now))).toBe(said)
})

it('knows of none where there are no intervals', () => {
  expect(incompleteInterval(makeTrend([]), 0)).toBeNull()
  expect(incompleteInterval(makeFunnel(), 0)).toBeNull()
})
