import { expect, it } from 'vitest'
import { type Schedule, WEEKDAYS } from '../../model/subscriptions/subscription.ts'
import { summarise } from './schedule-summary.ts'

type Words = Pick<Schedule, 'frequency' | 'interval' | 'byweekday' | 'bysetpos'>

const words: [expected: string, schedule: Partial<Words>][] = [
  ['sent every month', {}],
  ['sent every day', { frequency: 'daily' }],
  ['sent every year', { frequency: 'yearly' }],
  ['sent every 3 years', { frequency: 'yearly', interval: 3 }],
  ['sent every 2 months on the first Wednesday', { interval: 2, byweekday: ['wednesday'], bysetpos: 1 }],
  ['sent every week on the last Wednesday', { frequency: 'weekly', byweekday: ['wednesday'], bysetpos: -1 }],
  ['sent every week', { frequency: 'weekly', byweekday: ['wednesday'] }],
  ['sent every month on the third day', { byweekday: [...WEEKDAYS], bysetpos: 3 }],
  ['sent every month on the second day', { byweekday: ['monday', 'tuesday'], bysetpos: 2 }],
  ['sent every month on the fourth Sunday', { byweekday: ['sunday', 'sunday'], bysetpos: 4 }],
  ['sent on a schedule', { byweekday: ['monday'], bysetpos: 5 }],
  ['sent on a schedule', { byweekday: ['monday'], bysetpos: -2 }],
  ['sent every month', { byweekday: [], bysetpos: 1 }],
  ['sent every month', { byweekday: null, bysetpos: 9 }],
]

it.each(words)('says "%s" for %o', (expected, schedule) => {
  expect(summarise({ frequency: 'monthly', interval: 1, byweekday: null, bysetpos: null, ...schedule })).toBe(expected)
})
