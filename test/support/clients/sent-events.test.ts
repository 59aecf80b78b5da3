import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compressLz64 } from '../replay/lz64.ts'
import type { PassedRequest } from './recording-proxy.ts'
import { readSent } from './sent-events.ts'

interface Fixture {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body_base64: string
  events?: { event: string }[]
}

const fixtures: Fixture[] = readFileSync(new URL('../../fixtures/capture-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const passed = ({ method, path, headers, body_base64 }: Omit<Fixture, 'name'>): PassedRequest => ({
  method,
  path,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: Buffer.from(body_base64, 'base64'),
  status: 200,
})

it.each(fixtures)('reads what $name sends', async (fixture) => {
  const { events, snapshots } = await readSent([passed(fixture)])
  const names = fixture.events?.map(({ event }) => event) ?? []
  expect(events.map(({ event }) => event)).toEqual(names.filter((name) => name !== '$snapshot'))
  expect(snapshots.size > 0).toBe(names.includes('$snapshot'))
})

it('reads lz64 in a form, and counts what is sent again under its uuid once', async () => {
  const batch = [{ event: 'bought', uuid: '0195b0f0-7a3c-7d2e-9b1f-4c5d6e7f8a90' }, { event: 'looked' }]
  const form = new URLSearchParams({ data: compressLz64(JSON.stringify({ batch })), compression: 'lz64' })
  const request = passed({
    method: 'POST',
    path: '/e/?ip=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body_base64: Buffer.from(`${form}`).toString('base64'),
  })
  const { events } = await readSent([request, request])
  expect(events.map(({ event }) => event)).toEqual(['bought', 'looked', 'looked'])
})
