import { describe, expect, it } from 'vitest'
import { formatOptional, parseInstant } from '../../lib/time/time.ts'
import { type Schedule, WEEKDAYS, type Weekday } from '../../model/subscriptions/subscription.ts'
import { nextDelivery } from './recurrence.ts'

type Rule = Partial<Omit<Schedule, 'startDate' | 'untilDate'>> & { start: string; until?: string }

const at = (text: string): number => parseInstant(text, null)

function makeSchedule({ start, until, ...rest }: Rule): Schedule {
  return {
    frequency: 'daily',
    interval: 1,
    byweekday: null,
    bysetpos: null,
    count: null,
    timezone: 'UTC',
    ...rest,
    startDate: at(start),
    untilDate: until === undefined ? null : at(until),
  }
}

const next = (rule: Rule, now: string, from?: string): string | null =>
  formatOptional(nextDelivery(makeSchedule(rule), at(now), from === undefined ? undefined : at(from)))

/** The first `n` dates, each asked for after the one before was delivered. */
function dates(rule: Rule, now: string, n: number): (string | null)[] {
  const found: (string | null)[] = []
  for (let i = 0; i < n; i++) found.push(next(rule, now, found.at(-1) ?? undefined))
  return found
}

const weekdays = WEEKDAYS.slice(0, 5)

describe('the next delivery, by the table of the real service', () => {
  const table: [
    now: string,
    frequency: Schedule['frequency'],
    start: string,
    other: Partial<Rule>,
    expected: string | null,
  ][] = [
    ['2022-01-01 00:00', 'weekly', '2022-01-01 00:00', {}, '2022-01-08T00:00:00Z'],
    ['2022-01-01 00:00', 'weekly', '2022-01-01 00:00', { interval: 2 }, '2022-01-15T00:00:00Z'],
    ['2022-01-11 09:44', 'daily', '2022-01-01 10:00', {}, '2022-01-11T10:00:00Z'],
    ['2022-01-11 09:45', 'daily', '2022-01-01 10:00', {}, '2022-01-12T10:00:00Z'],
    ['2022-01-11 09:55', 'daily', '2022-01-01 10:00', {}, '2022-01-12T10:00:00Z'],
    ['2022-01-01 00:00', 'daily', '2022-06-01 08:00', {}, '2022-06-01T08:00:00Z'],
    ['2022-02-01 00:00', 'monthly', '2022-01-31 10:00', {}, '2022-03-31T10:00:00Z'],
    ['2022-01-01 00:00', 'monthly', '2022-01-01 00:00', { bysetpos: 3 }, '2022-02-01T00:00:00Z'],
    [
      '2022-01-01 00:00',
      'monthly',
      '2022-01-01 00:00',
      { byweekday: [...WEEKDAYS], bysetpos: 3 },
      '2022-01-03T00:00:00Z',
    ],
    [
      '2022-01-01 00:00',
      'weekly',
      '2022-01-01 00:00',
      { interval: 2, byweekday: ['wednesday'] },
      '2022-01-12T00:00:00Z',
    ],
    ['2022-01-01 00:00', 'weekly', '2022-01-01 09:00', { byweekday: ['monday', 'friday'] }, '2022-01-03T09:00:00Z'],
    ['2022-01-04 00:00', 'monthly', '2022-01-01 09:00', { byweekday: ['monday'], bysetpos: 1 }, '2022-02-07T09:00:00Z'],
    ['2022-01-01 00:00', 'monthly', '2022-01-01 09:00', { byweekday: weekdays, bysetpos: -1 }, '2022-01-31T09:00:00Z'],
    ['2022-01-14 12:00', 'daily', '2022-01-01 09:00', { byweekday: weekdays }, '2022-01-17T09:00:00Z'],
    ['2024-03-01 00:00', 'yearly', '2024-02-29 00:00', {}, '2028-02-29T00:00:00Z'],
    ['2022-01-03 09:50', 'daily', '2022-01-01 10:00', { count: 3 }, null],
    ['2022-01-03 00:00', 'daily', '2022-01-01 10:00', { until: '2022-01-03 10:00' }, '2022-01-03T10:00:00Z'],
    ['2022-01-03 00:00', 'daily', '2022-01-01 10:00', { until: '2022-01-03 09:59' }, null],
  ]
  it.each(table)('at %s, %s from %s with %o is %s', (now, frequency, start, other, expected) => {
    expect(next({ ...other, frequency, start }, now)).toBe(expected)
  })

  it('takes the last of two weekdays in every second month', () => {
    const rule: Rule = {
      frequency: 'monthly',
      interval: 2,
      byweekday: ['wednesday', 'friday'],
      bysetpos: -1,
      start: '2022-01-01 00:00',
    }
    expect(dates(rule, '2022-01-01 00:00', 3)).toEqual([
      '2022-01-28T00:00:00Z',
      '2022-03-30T00:00:00Z',
      '2022-05-27T00:00:00Z',
    ])
  })
})

describe('the rule', () => {
  it('skips what was missed: the date lies after now even when the last one delivered is long ago', () => {
    expect(next({ start: '2022-01-01 10:00' }, '2022-03-01 12:00', '2022-01-05 10:00')).toBe('2022-03-02T10:00:00Z')
  })

  it('moves on from the date just delivered even when that lies ahead of now', () => {
    expect(next({ start: '2022-01-01 10:00' }, '2022-01-05 09:00', '2022-01-05 10:00')).toBe('2022-01-06T10:00:00Z')
  })

  it('keeps the seconds of the start and drops its fraction', () => {
    expect(next({ start: '2022-01-01T10:00:30.999999Z' }, '2022-01-05 12:00')).toBe('2022-01-06T10:00:30Z')
  })

  it('does not count a start on another weekday', () => {
    const rule: Rule = { frequency: 'weekly', byweekday: ['monday'], count: 2, start: '2022-01-01 09:00' }
    expect(dates(rule, '2022-01-01 00:00', 3)).toEqual(['2022-01-03T09:00:00Z', '2022-01-10T09:00:00Z', null])
  })

  it('counts positions within a week from Monday, also in the week of the start', () => {
    const days: Weekday[] = ['saturday', 'monday', 'saturday']
    const rule: Rule = { frequency: 'weekly', byweekday: days, start: '2022-01-01 09:00' }
    expect(next({ ...rule, bysetpos: 1 }, '2021-12-01')).toBe('2022-01-03T09:00:00Z')
    expect(next({ ...rule, bysetpos: 2 }, '2021-12-01')).toBe('2022-01-01T09:00:00Z')
    expect(next({ ...rule, bysetpos: -2 }, '2021-12-01')).toBe('2022-01-03T09:00:00Z')
  })

  it('takes every such weekday of the month or year when no position is given', () => {
    const rule: Rule = { frequency: 'yearly', byweekday: ['monday'], start: '2022-01-01 09:00' }
    expect(dates(rule, '2022-01-01', 2)).toEqual(['2022-01-03T09:00:00Z', '2022-01-10T09:00:00Z'])
    expect(dates({ ...rule, frequency: 'monthly' }, '2022-01-29', 2)).toEqual([
      '2022-01-31T09:00:00Z',
      '2022-02-07T09:00:00Z',
    ])
  })

  it('takes a position on a daily rule as the day itself', () => {
    const rule: Rule = { byweekday: ['tuesday'], bysetpos: -1, start: '2022-01-01 09:00' }
    expect(next(rule, '2022-01-01')).toBe('2022-01-04T09:00:00Z')
  })

  it('includes an end in the middle of the second that it falls in', () => {
    expect(next({ start: '2022-01-01 10:00', until: '2022-01-03T10:00:00.5Z' }, '2022-01-03')).toBe(
      '2022-01-03T10:00:00Z',
    )
  })
})

describe('a rule that never matches', () => {
  const never: [why: string, rule: Rule][] = [
    ['every seventh day from a Saturday, on Mondays', { interval: 7, byweekday: ['monday'], start: '2022-01-01' }],
    [
      'the 31st day of every February',
      {
        frequency: 'monthly',
        interval: 12,
        byweekday: [...WEEKDAYS],
        bysetpos: 31,
        start: '2022-02-01',
      },
    ],
    [
      'five Thursdays and five Sundays in one month',
      {
        frequency: 'monthly',
        byweekday: ['thursday', 'sunday'],
        bysetpos: 10,
        count: 1,
        start: '1990-05-28',
      },
    ],
    [
      'the 53rd Monday of years that all have 52',
      {
        frequency: 'yearly',
        interval: 400,
        byweekday: ['monday'],
        bysetpos: 53,
        start: '2022-01-01',
      },
    ],
    [
      'the third of two weekdays',
      {
        frequency: 'weekly',
        byweekday: ['monday', 'friday'],
        bysetpos: 3,
        start: '2022-01-01',
      },
    ],
    [
      'the 366th day of odd years, counted',
      {
        frequency: 'yearly',
        interval: 2,
        byweekday: [...WEEKDAYS],
        bysetpos: -366,
        count: 10_000,
        start: '0001-01-01',
      },
    ],
  ]
  it.each(never)('has no date: %s', (_why, rule) => {
    expect(next(rule, '2022-01-01')).toBeNull()
  })
})

describe('rules at the edges', () => {
  it('finds rare dates', () => {
    expect(next({ frequency: 'yearly', byweekday: ['monday'], bysetpos: 53, start: '2022-01-01' }, '2025-06-01')).toBe(
      '2029-12-31T00:00:00Z',
    )
    expect(next({ frequency: 'yearly', interval: 999, start: '2024-02-29' }, '2025-01-01')).toBe('6020-02-29T00:00:00Z')
    expect(next({ frequency: 'monthly', interval: 960, start: '2024-02-29' }, '2025-01-01')).toBe(
      '2104-02-29T00:00:00Z',
    )
  })

  it('counts from a start long ago', () => {
    const mondays: Rule = { byweekday: ['monday'], start: '1970-01-01 06:00', count: 2_891 }
    expect(next(mondays, '2025-05-25')).toBe('2025-05-26T06:00:00Z')
    expect(next(mondays, '2025-05-27')).toBeNull()
    expect(next({ ...mondays, count: 2_892 }, '2025-05-27')).toBe('2025-06-02T06:00:00Z')
    expect(next({ frequency: 'monthly', start: '1970-01-31', count: 10_000 }, '2025-06-01')).toBe(
      '2025-07-31T00:00:00Z',
    )
    expect(next({ frequency: 'monthly', start: '0001-01-31', count: 10_000 }, '2025-06-01')).toBeNull()
    expect(next({ start: '0001-01-01', count: 10_000 }, '2025-06-01')).toBeNull()
  })

  it('reaches the present from the year 1, in zones on either side of UTC', () => {
    expect(next({ start: '0001-01-01' }, '2025-06-01')).toBe('2025-06-02T00:00:00Z')
    expect(next({ start: '0001-01-01', timezone: 'Etc/GMT+12' }, '2025-06-01')).toBe('2025-06-02T00:00:00Z')
    expect(next({ start: '0001-01-01', timezone: 'Etc/GMT-14' }, '2025-06-01')).toBe('2025-06-02T00:00:00Z')
  })

  it('ends with the year 9999', () => {
    expect(next({ start: '9999-12-31T23:59:59Z' }, '2025-06-01')).toBe('9999-12-31T23:59:59Z')
    expect(next({ start: '9999-12-31T23:59:59Z' }, '2025-06-01', '9999-12-31T23:59:59Z')).toBeNull()
    expect(next({ frequency: 'yearly', interval: 1_000, start: '9500-01-01' }, '9600-01-01')).toBeNull()
    expect(next({ start: '9999-12-31T23:00:00Z', timezone: 'Etc/GMT-14' }, '2025-06-01')).toBeNull()
    expect(next({ start: '9999-12-31T23:00:00Z', timezone: 'Etc/GMT+12' }, '9999-12-31T23:30:00Z')).toBeNull()
  })
})

describe('a schedule in a time zone', () => {
  it('keeps the local time over the change to summer time', () => {
    const newYork: Rule = {
      frequency: 'weekly',
      byweekday: ['monday'],
      start: '2024-03-04T14:00:00Z',
      timezone: 'America/New_York',
    }
    expect(dates(newYork, '2024-03-01', 2)).toEqual(['2024-03-04T14:00:00Z', '2024-03-11T13:00:00Z'])
    const berlin: Rule = { start: '2024-10-26T07:00:00Z', timezone: 'Europe/Berlin' }
    expect(dates(berlin, '2024-10-25', 2)).toEqual(['2024-10-26T07:00:00Z', '2024-10-27T08:00:00Z'])
  })

  it('moves a time that the clock skips past the gap, that day only', () => {
    const newYork: Rule = { start: '2024-03-08T07:30:00Z', timezone: 'America/New_York' }
    expect(dates(newYork, '2024-03-09', 3)).toEqual([
      '2024-03-09T07:30:00Z',
      '2024-03-10T07:30:00Z',
      '2024-03-11T06:30:00Z',
    ])
    const berlin: Rule = { start: '2024-03-29T01:30:00Z', timezone: 'Europe/Berlin' }
    expect(dates(berlin, '2024-03-30', 3)).toEqual([
      '2024-03-30T01:30:00Z',
      '2024-03-31T01:30:00Z',
      '2024-04-01T00:30:00Z',
    ])
  })

  it('still finds the moved time when the wall already reads later', () => {
    const newYork: Rule = { start: '2024-03-08T07:30:00Z', timezone: 'America/New_York' }
    expect(next(newYork, '2024-03-10T06:55:00Z')).toBe('2024-03-10T07:30:00Z')
    expect(next(newYork, '2024-03-10T07:00:00Z')).toBe('2024-03-10T07:30:00Z')
  })

  it('takes a time that comes twice once, the first time', () => {
    const newYork: Rule = { start: '2024-11-01T05:30:00Z', timezone: 'America/New_York' }
    expect(dates(newYork, '2024-11-02', 3)).toEqual([
      '2024-11-02T05:30:00Z',
      '2024-11-03T05:30:00Z',
      '2024-11-04T06:30:00Z',
    ])
    expect(next(newYork, '2024-11-03T05:50:00Z')).toBe('2024-11-04T06:30:00Z')
    const berlin: Rule = { start: '2024-10-25T00:30:00Z', timezone: 'Europe/Berlin' }
    expect(dates(berlin, '2024-10-26', 3)).toEqual([
      '2024-10-26T00:30:00Z',
      '2024-10-27T00:30:00Z',
      '2024-10-28T01:30:00Z',
    ])
  })

  it('never lies before its start, even when the start is the second of a time that comes twice', () => {
    const newYork: Rule = { start: '2024-11-03T06:30:00Z', timezone: 'America/New_York' }
    expect(dates(newYork, '2024-11-01', 2)).toEqual(['2024-11-03T06:30:00Z', '2024-11-04T06:30:00Z'])
  })

  it('reads weekdays and days of the month off the wall', () => {
    const friday: Rule = {
      frequency: 'weekly',
      byweekday: ['friday'],
      start: '2022-01-01T03:00:00Z',
      timezone: 'America/New_York',
    }
    expect(next(friday, '2021-12-31')).toBe('2022-01-01T03:00:00Z')
    const lastOfMonth: Rule = { frequency: 'monthly', start: '2022-02-01T04:30:00Z', timezone: 'America/New_York' }
    expect(next(lastOfMonth, '2022-02-02')).toBe('2022-04-01T03:30:00Z')
  })

  it('compares the end as an instant', () => {
    const berlin: Rule = { start: '2024-03-29T01:30:00Z', timezone: 'Europe/Berlin' }
    expect(next({ ...berlin, until: '2024-03-31T01:30:00Z' }, '2024-03-31')).toBe('2024-03-31T01:30:00Z')
    expect(next({ ...berlin, until: '2024-03-31T01:29:59Z' }, '2024-03-31')).toBeNull()
  })

  it('sends once for a day that a zone left out', () => {
    const apia: Rule = { start: '2011-12-28T20:00:00Z', timezone: 'Pacific/Apia' }
    expect(dates(apia, '2011-12-29T21:00:00Z', 2)).toEqual(['2011-12-30T20:00:00Z', '2011-12-31T20:00:00Z'])
  })
})
