import { describe, expect, it } from 'vitest'
import { WEEKDAYS } from '../../model/subscriptions/subscription.ts'
import { highestPosition, isTimezone, type ScheduleInput, scheduleProblems } from './validate-schedule.ts'

const START = Date.UTC(2022, 0, 1)

const makeInput = (input: Partial<ScheduleInput> = {}): ScheduleInput => ({
  frequency: 'weekly',
  interval: 1,
  byweekday: null,
  bysetpos: null,
  count: null,
  startDate: START,
  untilDate: null,
  timezone: 'UTC',
  ...input,
})

describe('a valid schedule', () => {
  const good: Partial<ScheduleInput>[] = [
    {},
    { interval: 1_000, count: 10_000 },
    { count: 1 },
    { byweekday: [] },
    { byweekday: ['monday', 'monday', 'sunday'] },
    { untilDate: START },
    { bysetpos: 5_000 },
    { bysetpos: -5_000, byweekday: [] },
    { timezone: 'America/New_York' },
    { timezone: 'Etc/GMT+5' },
  ]
  it.each(good)('has no problems: %o', (input) => {
    expect(scheduleProblems(makeInput(input))).toEqual([])
  })
})

describe('a schedule that is refused', () => {
  const bad: [input: Partial<ScheduleInput>, attr: string, code: string, detail: string][] = [
    [{ frequency: 'hourly' }, 'frequency', 'invalid_choice', '"hourly" is not a valid choice.'],
    [{ interval: 0 }, 'interval', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ interval: -1 }, 'interval', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ interval: 1_001 }, 'interval', 'max_value', 'Ensure this value is less than or equal to 1000.'],
    [{ interval: 1.5 }, 'interval', 'invalid_input', 'A valid integer is required.'],
    [{ count: 0 }, 'count', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ count: 10_001 }, 'count', 'max_value', 'Ensure this value is less than or equal to 10000.'],
    [{ byweekday: ['monday', 'Monday'] }, 'byweekday__1', 'invalid_choice', '"Monday" is not a valid choice.'],
    [{ bysetpos: 0 }, 'bysetpos', 'invalid_input', 'bysetpos must not be 0: the first position is 1.'],
    [{ bysetpos: 2 ** 31 }, 'bysetpos', 'max_value', 'Ensure this value is less than or equal to 2147483647.'],
    [
      { byweekday: ['monday', 'monday'], bysetpos: 2 },
      'bysetpos',
      'invalid_input',
      'bysetpos must lie between -1 and 1 for a weekly schedule on 1 weekday.',
    ],
    [
      { frequency: 'monthly', byweekday: ['monday', 'friday'], bysetpos: -11 },
      'bysetpos',
      'invalid_input',
      'bysetpos must lie between -10 and 10 for a monthly schedule on 2 weekdays.',
    ],
    [{ untilDate: START - 1 }, 'until_date', 'invalid_input', 'until_date must not be before start_date.'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'invalid_choice', '"Mars/Olympus" is not a valid choice.'],
  ]
  it.each(bad)('for %o', (input, attr, code, detail) => {
    expect(scheduleProblems(makeInput(input))).toEqual([{ attr, code, detail }])
  })

  it('reports all problems in the order of the fields', () => {
    const input = makeInput({ interval: 0, byweekday: ['x', 'monday', 'y'], bysetpos: 0, count: 0, timezone: '' })
    expect(scheduleProblems(input).map((problem) => problem.attr)).toEqual([
      'interval',
      'byweekday__0',
      'byweekday__2',
      'bysetpos',
      'count',
      'timezone',
    ])
  })

  it('reports only the first few of a list of invalid values', () => {
    expect(scheduleProblems(makeInput({ byweekday: Array.from({ length: 10_000 }, () => 'x') }))).toHaveLength(7)
  })
})

describe('the highest position', () => {
  it.each([
    ['daily', 7, 1],
    ['weekly', 5, 5],
    ['monthly', 1, 5],
    ['monthly', 7, 31],
    ['yearly', 1, 53],
    ['yearly', 7, 366],
  ] as const)('of a %s rule on %i weekdays is %i', (frequency, n, highest) => {
    expect(highestPosition(frequency, n)).toBe(highest)
    const byweekday = WEEKDAYS.slice(0, n)
    expect(scheduleProblems(makeInput({ frequency, byweekday, bysetpos: -highest }))).toEqual([])
    expect(scheduleProblems(makeInput({ frequency, byweekday, bysetpos: highest + 1 }))).toHaveLength(1)
  })
})

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])('knows %s', (name) => {
    expect(isTimezone(name)).toBe(true)
  })
  it.each(['', '+01:00', 'Berlin', 'Europe/Berlin ', 'Europe/../Berlin', '\0'])('does not know %j', (name) => {
    expect(isTimezone(name)).toBe(false)
  })
})
