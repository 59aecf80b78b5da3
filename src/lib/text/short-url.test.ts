import { expect, it } from 'vitest'
import { shortUrl } from './short-url.ts'

it.each([
  ['https://shop.example/plants/hazel?a=1#top', '/plants/hazel?a=1#top'],
  ['https://shop.example/', 'shop.example/'],
  ['https://shop.example/?a=1', 'shop.example/?a=1'],
  ['file:///home/a.html', 'file:///home/a.html'],
  ['order failed', 'order failed'],
  ['http://', 'http://'],
])('%s is short as %s', (text, short) => {
  expect(shortUrl(text)).toBe(short)
})
