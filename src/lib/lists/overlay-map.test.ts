import { expect, it } from 'vitest'
import { OverlayMap } from './overlay-map.ts'

it('has its own entries and those below, which stay as they are until both are merged', () => {
  const below = new Map([
    ['a', 1],
    ['b', 2],
  ])
  const overlay = new OverlayMap<string, number>(below)
  overlay.set('b', 20).set('c', 30)
  expect(['a', 'b', 'c', 'd'].map((key) => overlay.get(key))).toEqual([1, 20, 30, undefined])
  expect(['a', 'c', 'd'].map((key) => overlay.has(key))).toEqual([true, true, false])
  expect([...overlay.keys()]).toEqual(['b', 'c'])
  expect(below.get('b')).toBe(2)
  overlay.merge()
  expect([...below]).toEqual([
    ['a', 1],
    ['b', 20],
    ['c', 30],
  ])
})
