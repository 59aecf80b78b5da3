import { describe, expect, it } from 'vitest'
import { activityScore, durations } from './activity-score.ts'

const none = { clicks: 0, keypresses: 0, mouseActivity: 0, consoleLogs: 0, consoleWarns: 0, consoleErrors: 0 }
const START = 1_772_625_600_000

describe('durations', () => {
  it('are cut to whole seconds, and what was not active was inactive', () => {
    const recording = { startAt: START, endAt: START + 32_871, activeMs: 14_779, counters: none }
    expect(durations(recording)).toEqual({ duration: 32, active: 14, inactive: 18 })
  })
  it('never give a negative time of inactivity', () => {
    const recording = { startAt: START, endAt: START + 1_000, activeMs: 5_000, counters: none }
    expect(durations(recording).inactive).toBe(0)
  })
})

describe('the activity score', () => {
  it('is effort over presence in per cent, rounded to two decimals', () => {
    const counters = {
      clicks: 14,
      keypresses: 36,
      mouseActivity: 83,
      consoleLogs: 12,
      consoleWarns: 4,
      consoleErrors: 4,
    }
    // (14.779 + 14 + 36 + 4) / (83 + 32 + 4 + 12 + 4)
    expect(activityScore({ startAt: START, endAt: START + 32_871, activeMs: 14_779, counters })).toBe(50.95)
  })
  it('is 0 without activity and duration', () => {
    expect(activityScore({ startAt: START, endAt: START + 999, activeMs: 0, counters: none })).toBe(0)
    expect(activityScore({ startAt: START, endAt: START, activeMs: 1, counters: none })).toBe(0)
  })
  it('may exceed 100', () => {
    const counters = { ...none, clicks: 30 }
    expect(activityScore({ startAt: START, endAt: START + 10_000, activeMs: 10_000, counters })).toBe(400)
  })
})
