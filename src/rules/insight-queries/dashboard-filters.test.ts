import { describe, expect, it } from 'vitest'
import { withDashboardFilters } from './dashboard-filters.ts'
import { readRefresh } from './refresh.ts'

const query = { kind: 'TrendsQuery', series: [], dateRange: { date_from: '-7d' }, properties: [{ key: 'a' }] }

describe('a query on a dashboard', () => {
  it('is itself where the dashboard has no filters', () => {
    expect(withDashboardFilters(query, {})).toEqual(query)
    expect(withDashboardFilters(query, { date_from: null, date_to: '', properties: [] })).toEqual(query)
  })

  it('takes the dates of the dashboard, and adds its conditions', () => {
    const filters = { date_from: '-30d', properties: [{ key: 'b' }] }
    const expected = {
      ...query,
      dateRange: { date_from: '-30d', date_to: undefined, explicitDate: undefined },
      properties: {
        type: 'AND',
        values: [
          { type: 'AND', values: [{ key: 'a' }] },
          { type: 'AND', values: [{ key: 'b' }] },
        ],
      },
    }
    expect(withDashboardFilters(query, filters)).toEqual(expected)
    const framed = { kind: 'InsightVizNode', source: query }
    expect(withDashboardFilters(framed, filters)).toEqual({ ...framed, source: expected })
    expect(framed.source).toBe(query)
  })

  it('takes the conditions of the dashboard alone where it has none', () => {
    const { properties: _, ...bare } = query
    expect(withDashboardFilters(bare, { properties: [{ key: 'b' }] }).properties).toEqual([{ key: 'b' }])
  })

  it('takes the breakdown where its kind has one', () => {
    const filters = { breakdown_filter: { breakdown: '$os' } }
    expect(withDashboardFilters(query, filters).breakdownFilter).toEqual({ breakdown: '$os' })
    expect(withDashboardFilters({ kind: 'RetentionQuery' }, filters)).toEqual({ kind: 'RetentionQuery' })
  })
})

describe('refresh', () => {
  it.each<[unknown, string]>([
    [undefined, 'cached'],
    [null, 'cached'],
    ['', 'cached'],
    [false, 'cached'],
    ['force_cache', 'cached'],
    [true, 'when_stale'],
    ['TRUE', 'when_stale'],
    ['1', 'when_stale'],
    ['async', 'when_stale'],
    ['force_blocking', 'always'],
  ])('%j is %s', (value, expected) => {
    expect(readRefresh(value, 'cached')).toBe(expected)
  })
  it.each(['soon', 'constructor', {}])('%j is refused', (value) => {
    expect(() => readRefresh(value, 'cached')).toThrow(expect.objectContaining({ attr: 'refresh' }))
  })
})
