import { describe, expect, it } from 'vitest'
import { HOUR, readInstant } from '../../lib/time/time.ts'
import { countIntervals, dayOf, type Interval, labelOf } from './calendar.ts'
import { intervalsOf, previousRange, readRange, type Setting } from './date-range.ts'
import { Node } from './query-node.ts'

/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 4, 15, 20)

const setting = (given: Partial<Setting> = {}): Setting => ({
  projectId: 1,
  now: NOW,
  zone: 'UTC',
  earliestAt: null,
  ...given,
})

const nodeOf = (dateRange: object, more: object = {}) => new Node({ dateRange, ...more }, 'query')

/** The first day, the last day and how many there are. */
function spanOf(dateRange: object, interval: Interval = 'day', given: Partial<Setting> = {}) {
  const { starts } = intervalsOf(readRange(nodeOf(dateRange), interval, setting(given)), interval, setting(given))
  return [dayOf(interval, starts[0] ?? 0), dayOf(interval, starts.at(-1) ?? 0), starts.length]
}

describe('a range by the day', () => {
  it.each<[object, unknown[]]>([
    [{}, ['2026-02-25', '2026-03-04', 8]],
    [{ date_from: null, date_to: null }, ['2026-02-25', '2026-03-04', 8]],
    [{ date_from: '-30d' }, ['2026-02-02', '2026-03-04', 31]],
    [{ date_from: '30d' }, ['2026-02-02', '2026-03-04', 31]],
    [{ date_from: '-24h' }, ['2026-03-03', '2026-03-04', 2]],
    [{ date_from: '-1w' }, ['2026-02-25', '2026-03-04', 8]],
    [{ date_from: 'dStart' }, ['2026-03-04', '2026-03-04', 1]],
    [{ date_from: '-1dStart', date_to: '-1dEnd' }, ['2026-03-03', '2026-03-03', 1]],
    [{ date_from: 'wStart' }, ['2026-03-01', '2026-03-04', 4]],
    [{ date_from: 'mStart' }, ['2026-03-01', '2026-03-04', 4]],
    [{ date_from: '-1mStart', date_to: '-1mEnd' }, ['2026-02-01', '2026-02-28', 28]],
    [{ date_from: '-1m' }, ['2026-02-04', '2026-03-04', 29]],
    [{ date_from: 'qStart' }, ['2026-01-01', '2026-03-04', 63]],
    [{ date_from: 'yStart' }, ['2026-01-01', '2026-03-04', 63]],
    [{ date_from: '2026-01-30', date_to: '2026-02-02' }, ['2026-01-30', '2026-02-02', 4]],
    [{ date_from: '2026-01-30T23:59:00', date_to: '2026-02-02T00:01:00' }, ['2026-01-30', '2026-02-02', 4]],
  ])('%j', (dateRange, expected) => {
    expect(spanOf(dateRange)).toEqual(expected)
  })

  it('is of the project’s zone', () => {
    // It is already Thursday there.
    const zone = 'Pacific/Auckland'
    expect(spanOf({ date_from: 'dStart' }, 'day', { zone })).toEqual(['2026-03-05', '2026-03-05', 1])
    const { edges } = intervalsOf(
      readRange(nodeOf({ date_from: '2026-03-05', date_to: '2026-03-05' }), 'day', setting({ zone })),
      'day',
      setting({ zone }),
    )
    expect(edges).toEqual([Date.UTC(2026, 2, 4, 11), Date.UTC(2026, 2, 5, 11)])
  })

  it('takes a time with an offset for what it is, and one without as of the zone', () => {
    const of = (date_from: string) =>
      readRange(nodeOf({ date_from, explicitDate: true }), 'day', setting({ zone: 'America/New_York' })).from
    expect(of('2026-03-01T03:00:00Z')).toBe(Date.UTC(2026, 1, 28, 22))
    expect(of('2026-03-01T03:00:00')).toBe(Date.UTC(2026, 2, 1, 3))
  })

  it('begins with the first event for all, and not before 2015', () => {
    const all = { date_from: 'all' }
    expect(spanOf(all, 'day', { earliestAt: Date.UTC(2026, 2, 1, 5) })).toEqual(['2026-03-01', '2026-03-04', 4])
    expect(spanOf(all, 'month', { earliestAt: 0 })).toEqual(['2015-01-01', '2026-03-01', 135])
    expect(spanOf(all)).toEqual(['2026-03-04', '2026-03-04', 1])
  })
})

describe('a range by other intervals', () => {
  it('has weeks from Sunday on, months from the first, and whole first ones', () => {
    expect(spanOf({ date_from: '-14d' }, 'week')).toEqual(['2026-02-15', '2026-03-01', 3])
    expect(spanOf({ date_from: '-90d' }, 'month')).toEqual(['2025-12-01', '2026-03-01', 4])
  })

  it('has hours up to the present one, or of whole days', () => {
    expect(spanOf({ date_from: '-2h' }, 'hour')).toEqual(['2026-03-04 13:00:00', '2026-03-04 15:00:00', 3])
    expect(spanOf({ date_from: '2026-03-01', date_to: '2026-03-01' }, 'hour')).toEqual([
      '2026-03-01 00:00:00',
      '2026-03-01 23:00:00',
      24,
    ])
  })

  it('keeps to the very times where they are asked for', () => {
    const dateRange = { date_from: '2026-03-01T06:30:00', date_to: '2026-03-02T07:00:00', explicitDate: true }
    const { edges } = intervalsOf(readRange(nodeOf(dateRange), 'day', setting()), 'day', setting())
    expect(edges).toEqual([Date.UTC(2026, 2, 1, 6, 30), Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 2, 7)])
  })

  it('is not longer than it can be shown', () => {
    const dateRange = { date_from: '2015-01-01' }
    expect(() => spanOf(dateRange, 'hour')).toThrow(/has 97,936 intervals; at most 5,000/)
  })
})

describe('the number of intervals', () => {
  it.each<[Interval, string, string, number]>([
    ['hour', '2026-03-01T00:00:00', '2026-03-01T01:00:00', 1],
    ['hour', '2026-03-01T00:30:00', '2026-03-01T01:00:01', 2],
    ['day', '2026-02-28T23:00:00', '2026-03-01T01:00:00', 2],
    ['week', '2026-03-07T00:00:00', '2026-03-08T00:00:00', 1],
    ['week', '2026-03-07T00:00:00', '2026-03-08T00:00:01', 2],
    ['month', '2025-12-31T00:00:00', '2026-02-01T00:00:00', 2],
    ['month', '2025-12-31T00:00:00', '2026-02-01T00:00:01', 3],
    ['month', '0001-01-01T00:00:00', '9999-12-31T00:00:00', 119_988],
    ['month', '0050-06-15T00:00:00', '0051-01-01T00:00:00', 7],
  ])('by the %s from %s to %s', (interval, from, to, count) => {
    const range = { from: readInstant(from) ?? 0, to: readInstant(to) ?? 0 }
    expect(countIntervals(interval, range.from, range.to)).toBe(count)
    if (count > 5_000) return
    expect(intervalsOf({ ...range, exact: false }, interval, setting()).starts).toHaveLength(count)
  })
})

describe('days on which the clock changes', () => {
  it('hold no time where the clock was set forward', () => {
    const zone = 'Europe/Berlin'
    const dateRange = { date_from: '2026-03-29T02:30:00', date_to: '2026-03-29T03:10:00', explicitDate: true }
    const range = readRange(nodeOf(dateRange), 'hour', setting({ zone }))
    expect(() => intervalsOf(range, 'hour', setting({ zone }))).toThrow(/set forward over this range/)
  })

  const hoursOf = (day: string, zone: string) => {
    const dateRange = { date_from: day, date_to: day }
    const { edges, starts } = intervalsOf(
      readRange(nodeOf(dateRange), 'hour', setting({ zone })),
      'hour',
      setting({ zone }),
    )
    const long = edges.slice(1).map((edge, place) => (edge - (edges[place] ?? 0)) / HOUR)
    return {
      count: starts.length,
      long: long.filter((length) => length !== 1),
      labels: starts.map((at) => labelOf('hour', at)),
    }
  }

  it('skip an hour in spring', () => {
    const { count, long, labels } = hoursOf('2026-03-29', 'Europe/Berlin')
    expect([count, long]).toEqual([23, []])
    expect(labels.slice(1, 3)).toEqual(['29-Mar-2026 01:00', '29-Mar-2026 03:00'])
  })

  it('name an hour of which the clock skips a part by where it would begin', () => {
    const { count, long, labels } = hoursOf('2026-10-04', 'Australia/Lord_Howe')
    expect([count, long]).toEqual([24, [0.5]])
    expect(labels.slice(1, 4)).toEqual(['4-Oct-2026 01:00', '4-Oct-2026 02:00', '4-Oct-2026 03:00'])
  })

  it('show one hour twice in autumn, as one of two hours', () => {
    expect(hoursOf('2026-10-25', 'Europe/Berlin')).toMatchObject({ count: 24, long: [2] })
    expect(hoursOf('2026-11-01', 'America/New_York')).toMatchObject({ count: 24, long: [2] })
  })

  it('are of 23 and 25 hours', () => {
    const zone = 'America/New_York'
    const lengths = (date_from: string, date_to: string) => {
      const { edges } = intervalsOf(
        readRange(nodeOf({ date_from, date_to }), 'day', setting({ zone })),
        'day',
        setting({ zone }),
      )
      return edges.slice(1).map((edge, place) => (edge - (edges[place] ?? 0)) / HOUR)
    }
    expect(lengths('2026-03-07', '2026-03-09')).toEqual([24, 23, 24])
    expect(lengths('2025-11-01', '2025-11-03')).toEqual([24, 25, 24])
  })
})

describe('the range before', () => {
  const earlier = (dateRange: object, compareFilter: object = {}, interval: Interval = 'day') => {
    const node = nodeOf(dateRange, { compareFilter })
    const range = previousRange(readRange(node, interval, setting()), interval, node.child('compareFilter'))
    const { starts } = intervalsOf(range, interval, setting())
    return [dayOf(interval, starts[0] ?? 0), dayOf(interval, starts.at(-1) ?? 0), starts.length]
  }

  it.each<[object, object, unknown[]]>([
    [{ date_from: '-7d' }, {}, ['2026-02-18', '2026-02-25', 8]],
    [{ date_from: '-14d' }, {}, ['2026-02-04', '2026-02-18', 15]],
    [{ date_from: '-2d' }, {}, ['2026-02-27', '2026-03-01', 3]],
    [{ date_from: '2026-03-01', date_to: '2026-03-07' }, {}, ['2026-02-22', '2026-02-28', 7]],
    [{ date_from: '-2d' }, { compare_to: '-1w' }, ['2026-02-23', '2026-02-25', 3]],
    [{ date_from: '-2d' }, { compare_to: '-1y' }, ['2025-03-02', '2025-03-04', 3]],
  ])('%j %j', (dateRange, compareFilter, expected) => {
    expect(earlier(dateRange, compareFilter)).toEqual(expected)
  })

  it('is whole days before for hours', () => {
    expect(earlier({ date_from: '-24h' }, {}, 'hour')).toEqual(['2026-03-02 15:00:00', '2026-03-03 15:00:00', 25])
  })
})

describe('a range that is refused', () => {
  it.each<[object, string]>([
    [{ date_from: 'yesterday' }, 'query__dateRange__date_from'],
    [{ date_from: 'd' }, 'query__dateRange__date_from'],
    [{ date_from: '2026-02-30' }, 'query__dateRange__date_from'],
    [{ date_from: 7 }, 'query__dateRange__date_from'],
    [{ date_to: 'all' }, 'query__dateRange__date_to'],
    [{ date_from: '2026-03-02', date_to: '2026-03-01' }, 'query__dateRange__date_from'],
    [{ explicitDate: 'yes' }, 'query__dateRange__explicitDate'],
  ])('%j', (dateRange, attr) => {
    expect(() => readRange(nodeOf(dateRange), 'day', setting())).toThrow(expect.objectContaining({ attr }))
  })
})
