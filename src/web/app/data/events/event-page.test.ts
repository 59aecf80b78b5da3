import { expect, it } from 'vitest'
import { pageOf } from './event-page.ts'

it.each([
  [{ $current_url: 'https://shop.example/cart?a=1#b', $pathname: '/cart' }, 'shop.example/cart'],
  [{ $current_url: 'not an address' }, 'not an address'],
  [{ $screen_name: 'Home' }, 'Home'],
  [{ $pathname: '/x' }, '/x'],
  [{ $current_url: 7 }, ''],
  [{}, ''],
])('%j is %s', (properties, page) => expect(pageOf(properties)).toBe(page))
