import { expect, it } from 'vitest'
import { defaultDashboard } from './default-dashboard.ts'

const { tiles } = defaultDashboard

it('has six insights with different names', () => {
  expect(tiles).toHaveLength(6)
  expect(new Set(tiles.map((tile) => tile.insight.name)).size).toBe(6)
})

it.each(['sm', 'xs'])('lays its tiles out on %s side by side, none over another', (grid) => {
  const taken = tiles.flatMap((tile) => {
    const layout = tile.layouts[grid]
    if (!layout) throw new Error(`no layout for ${grid}`)
    const { x, y, w, h } = layout
    return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`)
  })
  expect(new Set(taken).size).toBe(taken.length)
})

it('is in the order in which it is read', () => {
  const order = tiles.map((tile) => tile.layouts.sm).map((layout) => [layout?.y, layout?.x])
  expect(order).toEqual([
    [0, 0],
    [0, 6],
    [5, 0],
    [5, 6],
    [10, 0],
    [10, 6],
  ])
})

it('is plain data that survives being stored as JSON', () => {
  expect(JSON.parse(JSON.stringify(defaultDashboard))).toEqual(defaultDashboard)
})
