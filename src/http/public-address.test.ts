import { expect, it } from 'vitest'
import { createPublicAddress, pathToRoot } from './public-address.ts'

it.each([
  ['/', './'],
  ['/?a=/b/c', './'],
  ['/unsubscribe?token=a/b', './'],
  ['/unsubscribe/', '../'],
  ['/shared/abc', '../'],
  ['/shared/abc/', '../../'],
  ['/shared/abc/?t=1', '../../'],
  ['/api/docs', '../'],
  ['/api/docs/', '../../'],
])('leads from %s to the root, with and without a path before it: %s', (originalUrl, root) => {
  expect(pathToRoot({ originalUrl })).toBe(root)
  for (const base of ['https://a.example', 'https://a.example/some/path']) {
    expect(new URL(root, base + originalUrl).href).toBe(`${base}/`)
  }
})

it.each([
  [null, ''],
  ['https://a.example', ''],
  ['https://a.example/some/path', '/some/path'],
])('takes the path of %s: %j', (publicUrl, path) => {
  expect(createPublicAddress(publicUrl).basePath).toBe(path)
})
