import { expect, it } from 'vitest'
import type { EventRow } from '../../../data/events.ts'
import type { PlayerEntry } from '../../../data/recordings/player.ts'
import type { Only, TabId } from '../replay.search.ts'
import { inspectorRows, narrowed, rowAtTime, rowBeside } from './inspector-rows.ts'

const START = Date.parse('2026-05-21T09:30:00Z')
const event = (second: number, name: string, properties: Record<string, unknown> = {}) =>
  ({ uuid: name, event: name, timestamp: new Date(START + second * 1_000).toISOString(), properties }) as EventRow
const entry = (
  second: number,
  kind: PlayerEntry['kind'],
  text: string,
  more: Partial<PlayerEntry> = {},
): PlayerEntry => ({
  kind,
  text,
  timestamp: START + second * 1_000,
  ...more,
})

const ROWS = inspectorRows(
  [event(5, 'order failed'), event(1, '$pageview', { $pathname: '/cart' })],
  [
    entry(0, 'page', 'https://shop.example/'),
    entry(4, 'request', 'https://shop.example/api', { method: 'POST', status: 500, milliseconds: 812.4 }),
    entry(4.5, 'error', 'TypeError: cart is null'),
    entry(2, 'click', 'Click'),
  ],
)
const narrow = (tab: TabId, search: string, only: Only = 'all') => narrowed(ROWS, { tab, only, search })
const texts = (rows: typeof ROWS) => rows.map(({ text }) => text)

it('has everything in order of time', () => {
  expect(texts(ROWS)).toEqual([
    'https://shop.example/',
    '$pageview',
    'Click',
    'https://shop.example/api',
    'TypeError: cart is null',
    'order failed',
  ])
  expect(ROWS[1]?.about).toBe('/cart')
  expect(ROWS[3]?.about).toBe('POST · 500 · 812 ms')
  expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length)
})

it('is narrowed by a tab, and by words in any order', () => {
  expect(texts(narrow('events', ''))).toEqual(['$pageview', 'order failed'])
  expect(texts(narrow('console', ''))).toEqual(['TypeError: cart is null'])
  expect(texts(narrow('network', '500 post'))).toEqual(['https://shop.example/api'])
  expect(texts(narrow('all', 'CART'))).toEqual(['$pageview', 'TypeError: cart is null'])
  expect(narrow('network', 'cart')).toEqual([])
})

it('is narrowed further by what a tab has for it, and by nothing that is for another tab', () => {
  expect(texts(narrow('all', '', 'pages'))).toEqual(['https://shop.example/'])
  expect(texts(narrow('all', '', 'errors'))).toEqual(['https://shop.example/api', 'TypeError: cart is null'])
  expect(texts(narrow('events', '', 'own'))).toEqual(['order failed'])
  expect(texts(narrow('network', '', 'failed'))).toEqual(['https://shop.example/api'])
  expect(narrow('network', '', 'slow')).toEqual([])
  expect(texts(narrow('events', '', 'slow'))).toEqual(['$pageview', 'order failed'])
})

it('knows the row before a time and the one after it', () => {
  expect(rowBeside(ROWS, START + 2_000, 1)?.text).toBe('https://shop.example/api')
  expect(rowBeside(ROWS, START + 2_000, -1)?.text).toBe('$pageview')
  expect(rowBeside(ROWS, START, -1)).toBeUndefined()
  expect(rowBeside(ROWS, START + 5_000, 1)).toBeUndefined()
})

it('knows which row the time has come to', () => {
  expect(rowAtTime(ROWS, START - 1)).toBe(-1)
  expect(rowAtTime(ROWS, START)).toBe(0)
  expect(rowAtTime(ROWS, START + 4_200)).toBe(3)
  expect(rowAtTime(ROWS, START + 60_000)).toBe(5)
  expect(rowAtTime([], START)).toBe(-1)
})
