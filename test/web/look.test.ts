import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const text = readFileSync(new URL('../../src/web/app/look/tokens.css', import.meta.url), 'utf8')

/** The tokens of the rule that begins with this selector. */
function tokensOf(selector: string): Record<string, string> {
  const rule = text.slice(text.indexOf(`${selector} {`))
  const pairs = rule.slice(0, rule.indexOf('}')).matchAll(/(--[\w-]+):\s*([^;]+);/g)
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]))
}

const light = tokensOf(':root')
const dark = tokensOf(':root[data-theme="dark"]')

/** WCAG 2.2: relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one = '', other = ''): number {
  const [a = 0, b = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x)
  return (a + 0.05) / (b + 0.05)
}

const GROUNDS = ['--ground', '--paper', '--sunken', '--hover']
const TEXTS = ['--ink', '--soft', '--faint', '--accent', '--bad', '--warn', '--good']
const ON_THEIR_OWN = [
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-strong'],
  ['--on-bad', '--bad'],
  ['--on-bad', '--bad-strong'],
  ['--accent', '--accent-soft'],
  ['--bad', '--bad-soft'],
  ['--warn', '--warn-soft'],
  ['--good', '--good-soft'],
  ['--ink', '--accent-soft'],
  ['--ink', '--bad-soft'],
  ['--ink', '--warn-soft'],
]

describe.each([
  ['light', light],
  ['dark', { ...light, ...dark }],
])('the colours of the %s theme', (_name, tokens) => {
  it('can be read on every ground', () => {
    const pairs = [...TEXTS.flatMap((one) => GROUNDS.map((ground) => [one, ground])), ...ON_THEIR_OWN]
    const faint = pairs.filter(([one = '', ground = '']) => contrast(tokens[one], tokens[ground]) < 4.5)
    expect(faint).toEqual([])
  })
  it('show edges and focus', () => {
    for (const ground of ['--ground', '--paper']) {
      expect(contrast(tokens['--edge'], tokens[ground])).toBeGreaterThanOrEqual(3)
      expect(contrast(tokens['--focus'], tokens[ground])).toBeGreaterThanOrEqual(3)
    }
  })
})

it('the system’s dark theme is the dark theme', () => {
  expect(tokensOf(':root[data-theme="system"]')).toEqual(dark)
  expect(Object.keys(dark).filter((name) => !(name in light))).toEqual([])
})
