/** Recordings written by hand: a page with one line of text, what changes in it, and how it is sent. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { PROJECT_TOKEN, type TestApp } from '../app.ts'

export interface Rrweb {
  type: number
  timestamp: number
  data: unknown
}

const TEXT_ID = 7

const element = (id: number, tagName: string, childNodes: unknown[], attributes: object = {}) => ({
  type: 2,
  id,
  tagName,
  attributes,
  childNodes,
})

/** A page of 800 × 600 that says `text`; `more` are further nodes of its body, ids from 10. */
export function pageOf(timestamp: number, text: string, more: unknown[] = []): Rrweb[] {
  const line = element(6, 'h1', [{ type: 3, id: TEXT_ID, textContent: text }])
  const html = element(3, 'html', [element(4, 'head', []), element(5, 'body', [line, ...more])])
  const node = { type: 0, id: 1, childNodes: [{ type: 1, id: 2, name: 'html', publicId: '', systemId: '' }, html] }
  return [
    { type: 4, timestamp, data: { href: 'https://shop.example/', width: 800, height: 600 } },
    { type: 2, timestamp, data: { node, initialOffset: { top: 0, left: 0 } } },
  ]
}

export const node = element

/** The text becomes another one. */
export const saying = (timestamp: number, value: string): Rrweb => ({
  type: 3,
  timestamp,
  data: { source: 0, texts: [{ id: TEXT_ID, value }], attributes: [], removes: [], adds: [] },
})

export const click = (timestamp: number): Rrweb => ({
  type: 3,
  timestamp,
  data: { source: 2, type: 2, id: 6, x: 20, y: 20 },
})

export interface Sent {
  sessionId: string
  windowId?: string
  events: Rrweb[]
}

/** One request of the recorder: one block. */
export async function sendRecorded(app: TestApp, { sessionId, windowId = 'w1', events }: Sent): Promise<void> {
  const snapshot = {
    event: '$snapshot',
    uuid: randomUUID(),
    properties: {
      token: PROJECT_TOKEN,
      distinct_id: 'ada',
      $session_id: sessionId,
      $window_id: windowId,
      $snapshot_data: events,
      $lib: 'web',
    },
  }
  const headers = { 'content-type': 'application/json' }
  const payload = JSON.stringify([snapshot])
  const response = await app.server.inject({ method: 'POST', url: '/s/', headers, payload })
  expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
}
