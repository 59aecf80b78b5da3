import { expect, it } from 'vitest'
import { formatByteSize, parseByteSize } from './byte-size.ts'

it.each([
  ['0', 0],
  ['200000000', 200_000_000],
  ['200MB', 200_000_000],
  ['200 mb', 200_000_000],
  ['1.5GB', 1_500_000_000],
  ['64kB', 64_000],
  ['64KiB', 65_536],
  ['2MiB', 2_097_152],
  ['0.5GiB', 536_870_912],
  ['1TB', 1_000_000_000_000],
  ['1TiB', 1_099_511_627_776],
  ['12B', 12],
  ['1.0005kB', 1_000],
])('reads %s', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes)
})

it.each(['', 'MB', '-1', '1.5', '1.5B', '200M', '200 MBs', '1,5GB', '0x10', '1e6', '9999999999TB', '1  MB', 'NaN'])(
  'refuses %j',
  (text) => {
    expect(parseByteSize(text)).toBeNull()
  },
)

it('writes sizes so that they can be read', () => {
  const sizes = [0, 1, 999, 1_000, 1_550, 200_000_000, 1_000_000_000, 3_210_000_000_000]
  expect(sizes.map(formatByteSize)).toEqual(['0 B', '1 B', '999 B', '1 kB', '1.6 kB', '200 MB', '1 GB', '3.2 TB'])
})
