import { describe, expect, it } from 'vitest'
import { mix, THEMES, themes } from './theme.ts'

function light(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(THEMES)('%s', (name) => {
  const theme = themes[name]

  it('has words that can be read on everything they stand on', () => {
    expect(contrast(theme.text, theme.ground)).toBeGreaterThan(7)
    expect(contrast(theme.muted, theme.ground)).toBeGreaterThan(4.5)
    // In the box that says what is missing.
    for (const said of [theme.muted, theme.bad]) expect(contrast(said, theme.faint)).toBeGreaterThan(4.5)
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      expect(contrast(theme.text, mix(theme.heat.empty, theme.heat.full, share)), String(share)).toBeGreaterThan(4.5)
    }
  })

  it('has series that stand out from the ground', () => {
    for (const colour of [...theme.series, ...Object.values(theme.lifecycle)]) {
      expect(contrast(colour, theme.ground), colour).toBeGreaterThan(2.5)
    }
    expect(new Set(theme.series).size).toBe(theme.series.length)
  })
})
