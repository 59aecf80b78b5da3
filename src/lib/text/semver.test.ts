import { describe, expect, it } from 'vitest'
import { caretRange, compareVersions, readVersion, readWildcardRange, tildeRange } from './semver.ts'

const version = (text: string): readonly number[] => {
  const read = readVersion(text)
  if (!read) throw new Error(`${text} is no version`)
  return read
}

describe('readVersion', () => {
  it.each([
    ['1.2.3', [1, 2, 3]],
    ['v1.2.3', [1, 2, 3]],
    [' 1.2 ', [1, 2]],
    ['17', [17]],
    ['120.0.6099.109', [120, 0, 6099, 109]],
    ['1.2.3-beta.1+build.5', [1, 2, 3]],
    ['1.2-rc1', [1, 2]],
  ])('%s', (text, expected) => {
    expect(readVersion(text)).toEqual(expected)
  })

  it.each(['', 'v', 'latest', '1.', '.1', '1..2', '1.2.3.4.5', '2024-05-01', '1.2.x', '-1', '1.2.3-', '1.2 3', '1e3'])(
    '%j is no version',
    (text) => {
      expect(readVersion(text)).toBeNull()
    },
  )
})

it.each([
  ['1.2.3', '1.2.3', 0],
  ['1.2', '1.2.0', 0],
  ['1.10.0', '1.9.9', 1],
  ['1.2.3', '1.2.3.1', -1],
  ['1.2.3-alpha', '1.2.3', 0],
])('%s against %s is %i', (a, b, expected) => {
  expect(compareVersions(version(a), version(b))).toBe(expected)
})

describe('ranges', () => {
  it.each([
    ['1.2.3', [1, 3]],
    ['1.2', [1, 3]],
    ['1', [2]],
  ])('~%s ends before %j', (text, upper) => {
    expect(tildeRange(version(text))).toEqual({ lower: version(text), upper })
  })

  it.each([
    ['1.2.3', [2]],
    ['0.2.3', [0, 3]],
    ['0.0.3', [0, 0, 4]],
    ['0.0.0', [0, 0, 1]],
    ['0.0', [0, 1]],
    ['0', [1]],
    ['0.0.0.7', [0, 0, 1]],
  ])('^%s ends before %j', (text, upper) => {
    expect(caretRange(version(text))).toEqual({ lower: version(text), upper })
  })

  it.each([
    ['1.*', [1], [2]],
    ['1.2.*', [1, 2], [1, 3]],
    ['1.*.*', [1], [2]],
    ['1.2', [1, 2], [1, 3]],
    ['1.2.3.*', [1, 2, 3], [1, 2, 4]],
  ])('%s', (text, lower, upper) => {
    expect(readWildcardRange(text)).toEqual({ lower, upper })
  })

  it.each(['*', '', '1.*.2', 'x.*'])('%j is no wildcard', (text) => {
    expect(readWildcardRange(text)).toBeNull()
  })
})
