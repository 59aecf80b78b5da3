import { describe, expect, it } from 'vitest'
import { fullSnapshotTimes, MAX_FULL_SNAPSHOTS, readFullSnapshots, writeFullSnapshots } from './full-snapshots.ts'

const event = (type: number, timestamp: number) => ({ type, timestamp, data: {} })
const of = (windowId: string, ...fullSnapshots: number[]) => ({ windowId, fullSnapshots })
const kept = (...parts: ReturnType<typeof of>[]) =>
  readFullSnapshots(writeFullSnapshots(parts)).map(({ windowId, at }) => `${windowId} ${at}`)

describe('full snapshots', () => {
  it('are found by their type, compressed or not, each time once', () => {
    const compressed = { type: 2, timestamp: 7, data: '\u001f\u008b', cv: '2024-10' }
    const wireframes = { type: 2, timestamp: 5.5, data: { wireframes: [] } }
    const events = [event(4, 1), compressed, event(3, 8), wireframes, compressed, { timestamp: 9, type: '2' }]
    expect(fullSnapshotTimes(events)).toEqual([5.5, 7])
  })
  it('are written with the id of each window once, and read by time', () => {
    const text = writeFullSnapshots([of('a', 3, 1), of('b', 2.25), of('a', 9, 3), of('c')])
    expect(text).toBe('[["a",1,3,9],["b",2.25]]')
    expect(kept(of('a', 3, 1), of('b', 2.25), of('a', 9, 3))).toEqual(['a 1', 'b 2.25', 'a 3', 'a 9'])
  })
  it('of a block without any take no bytes', () => {
    expect(writeFullSnapshots([of('a'), of('b')])).toBe('')
    expect(readFullSnapshots('')).toEqual([])
  })
  it('are bounded, and the first of each window comes before others', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => event(2, 100_000 - i))
    const times = fullSnapshotTimes(many)
    expect(times).toEqual(Array.from({ length: MAX_FULL_SNAPSHOTS }, (_, i) => i + 1))
    const found = kept(of('a', ...times), of('late', 50_000))
    expect(found).toHaveLength(MAX_FULL_SNAPSHOTS)
    expect(found.at(-1)).toBe('late 50000')
  })
  it('of windows with long ids are fewer', () => {
    const parts = Array.from({ length: 50 }, (_, i) => of(`${i}`.padEnd(200, '👩'), i + 1))
    const text = writeFullSnapshots(parts)
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect(readFullSnapshots(text).map(({ at }) => at)).toEqual(readFullSnapshots(text).map((_, i) => i + 1))
  })
})
