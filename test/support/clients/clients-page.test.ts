import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENTS } from './client-packages.ts'
import type { ClientRow } from './client-run.ts'
import { clientsPage } from './clients-page.ts'

const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8')

const ROW: ClientRow = {
  name: 'posthog-js',
  release: '1.10.2',
  driven: ['capture', 'flags'],
  sent: 5,
  stored: 3,
  lost: ['bought', 'bought'],
  snapshots: { sent: 9, stored: 8 },
  unexpected: ['404 GET /api/surveys/', 'flags: never came back'],
}

it('says what was lost and what was not expected', () => {
  const rows = clientsPage([ROW, { ...ROW, stored: 5, lost: [], snapshots: null, unexpected: [] }])
    .trim()
    .split('\n')
  expect(rows.slice(-2)).toEqual([
    '| posthog-js | 1.10.2 | capture, flags | 5 | 3 | 2: bought | 9 / 8 | 404 GET /api/surveys/; flags: never came back |',
    '| posthog-js | 1.10.2 | capture, flags | 5 | 5 | 0 | – | – |',
  ])
})

it('docs/clients.md is as it is written now, with a row for each client', () => {
  expect(page.startsWith(clientsPage([]))).toBe(true)
  const rows = page.slice(clientsPage([]).length).trim().split('\n')
  const ids = rows.map((row) => row.split(' | ')).map(([name = '', release]) => `${name.replace('| ', '')}@${release}`)
  expect(ids).toEqual(Object.keys(CLIENTS.clients))
})
