import { expect, it } from 'vitest'
import { invalid, unavailable } from '../../lib/errors.ts'
import type { Tile } from '../../model/insights/dashboard.ts'
import { dashboardName, inLayoutOrder, insightName, whyNotComputed } from './dashboard-tiles.ts'

const tile = (id: number, place?: { x: number; y: number }): Tile => ({
  id,
  insightId: id * 10,
  color: null,
  layouts: place ? { sm: { ...place, w: 6, h: 5 }, xs: { x: 0, y: 100 - id, w: 1, h: 5 } } : {},
})

it('orders tiles by row, then from left to right; those without a place come last', () => {
  const tiles = [
    tile(1),
    tile(2, { x: 6, y: 5 }),
    tile(3, { x: 0, y: 5 }),
    tile(4, { x: 6, y: 0 }),
    tile(5),
    tile(6, { x: 6, y: 0 }),
  ]
  expect(inLayoutOrder(tiles).map(({ id }) => id)).toEqual([4, 6, 3, 2, 1, 5])
})

it('names what has no name', () => {
  expect(insightName({ name: null, derivedName: 'Pageviews by day' })).toBe('Pageviews by day')
  expect(insightName({ name: '', derivedName: null })).toBe('Untitled insight')
  expect(dashboardName({ name: '' })).toBe('Untitled dashboard')
})

it('shows what is wrong with the query, and no internal errors', () => {
  expect(whyNotComputed(invalid('HogQL is not supported.'))).toBe('HogQL is not supported.')
  for (const error of [new Error('duckdb: /data/events.db'), unavailable('busy', 1)]) {
    expect(whyNotComputed(error)).toBe('This insight could not be computed.')
  }
})
