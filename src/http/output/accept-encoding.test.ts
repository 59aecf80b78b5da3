import { expect, it } from 'vitest'
import { chooseCoding } from './accept-encoding.ts'

it.each([
  // Chromium, curl --compressed, Node's fetch, Python's requests, Prometheus.
  ['gzip, deflate, br, zstd', 'br'],
  ['deflate, gzip, br, zstd', 'br'],
  ['br, gzip, deflate', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip', 'gzip'],
  ['BR', 'br'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.8,gzip;q=0.8', 'br'],
  ['gzip ; q=0.001', 'gzip'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0', null],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0', null],
  ['br;q=0, gzip;q=0', null],
  ['br;q=0.000', null],
  ['*;q=0', null],
  ['identity', null],
  ['identity, br;q=0.5', null],
  ['identity;q=0.9, gzip;q=0.5, br;q=0.8', null],
  ['deflate', null],
  ['compress, zstd', null],
  ['gzipped', null],
  ['gzip;q=nonsense', null],
  ['gzip;q=-1', null],
  ['gzip;q=2', null],
  [' , ;q=1, ', null],
  ['', null],
  [undefined, null],
])('of %j takes %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})

it('reads a header of any length in time that grows with it', () => {
  expect(chooseCoding(`${'a;'.repeat(5_000)}, ${' '.repeat(5_000)}gzip${' '.repeat(5_000)};q=1`)).toBe('gzip')
})
