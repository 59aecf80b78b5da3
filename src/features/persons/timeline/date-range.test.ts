import { describe, expect, test } from 'vitest'
import { formatInstant } from '../../../lib/time/time.ts'
import { type RangeRequest, readDateRange } from './date-range.ts'

const NOW = Date.parse('2026-03-04T12:34:56Z')

function range(request: Partial<RangeRequest>): [from: string, to: string] {
  const { from, to } = readDateRange(
    { dateFrom: undefined, dateTo: undefined, interval: 'day', timezone: 'UTC', ...request },
    NOW,
  )
  return [formatInstant(from), formatInstant(to)]
}

describe('the dates of a timeline', () => {
  test.each<[what: string, request: Partial<RangeRequest>, from: string, to: string]>([
    ['nothing: the last seven days', {}, '2026-02-25T00:00:00Z', '2026-03-04T23:59:59.999999Z'],
    [
      'dates: from the first moment of one to the last of the other',
      { dateFrom: '2020-01-01', dateTo: '2020-01-05' },
      '2020-01-01T00:00:00Z',
      '2020-01-05T23:59:59.999999Z',
    ],
    [
      'times widen to days',
      { dateFrom: '2020-01-01T10:00:00Z', dateTo: '2020-01-05T10:00:00Z' },
      '2020-01-01T00:00:00Z',
      '2020-01-05T23:59:59.999999Z',
    ],
    [
      'times widen to hours when the interval is an hour',
      { dateFrom: '2020-01-01T10:20:00Z', dateTo: '2020-01-01T12:40:00+00:00', interval: 'hour' },
      '2020-01-01T10:00:00Z',
      '2020-01-01T12:59:59.999999Z',
    ],
    [
      'one day',
      { dateFrom: '2020-01-01', dateTo: '2020-01-01' },
      '2020-01-01T00:00:00Z',
      '2020-01-01T23:59:59.999999Z',
    ],
    [
      'one hour',
      { dateFrom: '2020-01-01T10:00', dateTo: '2020-01-01T10:00', interval: 'hour' },
      '2020-01-01T10:00:00Z',
      '2020-01-01T10:59:59.999999Z',
    ],
    [
      'one week',
      { dateFrom: '2020-01-01', dateTo: '2020-01-01', interval: 'week' },
      '2020-01-01T00:00:00Z',
      '2020-01-07T23:59:59.999999Z',
    ],
    [
      'one month, which ends where the next is shorter',
      { dateFrom: '2020-01-31', dateTo: '2020-01-31', interval: 'month' },
      '2020-01-31T00:00:00Z',
      '2020-02-28T23:59:59.999999Z',
    ],
    ['relative days', { dateFrom: '-2d' }, '2026-03-02T00:00:00Z', '2026-03-04T23:59:59.999999Z'],
    ['relative ends', { dateFrom: '-2w', dateTo: '-1w' }, '2026-02-18T00:00:00Z', '2026-02-25T23:59:59.999999Z'],
    ['relative hours', { dateFrom: '-2h', interval: 'hour' }, '2026-03-04T10:00:00Z', '2026-03-04T12:59:59.999999Z'],
    [
      'only an end: seven days before it',
      { dateTo: '2020-01-09' },
      '2020-01-02T00:00:00Z',
      '2020-01-09T23:59:59.999999Z',
    ],
    [
      'an instant to begin with, from its day on',
      { dateFrom: Date.parse('2019-05-05T05:05:05Z') },
      '2019-05-05T00:00:00Z',
      '2026-03-04T23:59:59.999999Z',
    ],
    [
      'an instant after the end begins with the end',
      { dateFrom: NOW, dateTo: '2020-01-09' },
      '2020-01-09T00:00:00Z',
      '2020-01-09T23:59:59.999999Z',
    ],
  ])('%s', (_what, request, from, to) => {
    expect(range(request)).toEqual([from, to])
  })

  test('days are those of the project’s time zone', () => {
    expect(range({ dateFrom: '2026-01-10', dateTo: '2026-01-10', timezone: 'America/Los_Angeles' })).toEqual([
      '2026-01-10T08:00:00Z',
      '2026-01-11T07:59:59.999999Z',
    ])
    expect(range({ timezone: 'Asia/Tokyo' })).toEqual(['2026-02-24T15:00:00Z', '2026-03-04T14:59:59.999999Z'])
  })

  test('a day on which the clock goes forward has 23 hours', () => {
    expect(range({ dateFrom: '2026-03-29', dateTo: '2026-03-29', timezone: 'Europe/Berlin' })).toEqual([
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59.999999Z',
    ])
  })

  test('relative days are counted on the calendar of the zone, also across a daylight saving change', () => {
    const now = Date.parse('2026-03-29T22:30:00Z') // 00:30 on the 30th in Berlin, a day after the change
    const { from } = readDateRange(
      { dateFrom: '-2d', dateTo: undefined, interval: 'day', timezone: 'Europe/Berlin' },
      now,
    )
    expect(formatInstant(from)).toBe('2026-03-27T23:00:00Z')
  })

  test.each(['2026-02-30', '-1', '9999999', '-9999y', 'yesterday', '0000-01-01', '2026-13-01T00:00:00Z'])(
    'refuses the date %s',
    (date) => {
      expect(() => range({ dateFrom: date })).toThrow(expect.objectContaining({ kind: 'invalid', attr: 'date_from' }))
      expect(() => range({ dateTo: date })).toThrow(expect.objectContaining({ kind: 'invalid', attr: 'date_to' }))
    },
  )

  test('refuses a start after the end', () => {
    expect(() => range({ dateFrom: '2026-01-02', dateTo: '2026-01-01' })).toThrow('must not lie after')
  })
})
