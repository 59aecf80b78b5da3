/** Requests of many events each to /batch/, sent by the load process, and the wait until they are in the event store. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT_TOKEN, reply } from './child.ts'
import type { LoadOrder, LoadResult } from './load-process.ts'

/** Events in a request. */
export const BATCH = 100

/** A page view, as a browser would send it; its uuid is made by the load process. */
export const pageview = (n: number, distinctId: string) => ({
  event: '$pageview',
  uuid: '{u}',
  distinct_id: distinctId,
  properties: {
    $current_url: `https://shop.example.com/plants/${n % 50}`,
    $referring_domain: 'www.google.com',
    $browser: 'Chrome',
    $os: 'Linux',
    $lib: 'web',
    $session_id: `018f0000-0000-7000-8000-${String(n % 5_000).padStart(12, '0')}`,
  },
})

/** Requests with a page view of each of these visitors. */
export function batchBodies(distinctIds: string[], token = PROJECT_TOKEN): string[] {
  const events = distinctIds.map((distinctId, n) => pageview(n, distinctId))
  const bodies: string[] = []
  for (let from = 0; from < events.length; from += BATCH) {
    bodies.push(JSON.stringify({ api_key: token, batch: events.slice(from, from + BATCH) }))
  }
  return bodies
}

/** Sends `requests` requests, in rotation, and waits for their answers. */
export async function sendBatches(
  load: ChildProcess,
  port: number,
  bodies: string[],
  requests = bodies.length,
): Promise<void> {
  const order: LoadOrder = {
    port,
    path: '/batch/',
    among: 1,
    headers: { 'content-type': 'application/json' },
    bodies,
    connections: 8,
    until: { requests },
  }
  load.send(order)
  await reply<LoadResult>(load)
}

export async function untilDrained(port: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (/^hedgerow_outbox_rows 0$/m.test(text)) return
    await pause(5)
  }
}
