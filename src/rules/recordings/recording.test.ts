import { describe, expect, it } from 'vitest'
import { daysLeft, expiryOf, findRecording, recordingFolder } from './recording.ts'

describe('expiry', () => {
  it('is midnight of the day it started plus the days it is kept', () => {
    const midnight = Date.UTC(2026, 3, 3)
    expect(expiryOf(Date.UTC(2026, 2, 4), 30)).toBe(midnight)
    expect(expiryOf(Date.UTC(2026, 2, 4, 23, 59, 59, 999) + 0.999, 30)).toBe(midnight)
  })
  it('is counted in calendar days, never below 0', () => {
    const expiresAt = Date.UTC(2026, 3, 3)
    expect(daysLeft(expiresAt, Date.UTC(2026, 2, 4))).toBe(30)
    expect(daysLeft(expiresAt, Date.UTC(2026, 2, 4, 23, 59))).toBe(30)
    expect(daysLeft(expiresAt, Date.UTC(2026, 3, 2, 23, 59))).toBe(1)
    expect(daysLeft(expiresAt, Date.UTC(2026, 3, 9))).toBe(0)
  })
})

it('keeps the bytes of a recording in a folder below its project', () => {
  expect(recordingFolder(7, 'abc-1')).toBe('7/recordings/abc-1/')
})

it('does not ask a store for an id that none can hold', async () => {
  const recordings = { find: () => Promise.reject(new Error('asked')) }
  await expect(findRecording(recordings, 1, 'a\0b', 0)).rejects.toMatchObject({ kind: 'not_found' })
})
