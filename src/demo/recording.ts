/**
 * A visit to the example shop as a session recording, rrweb events that play: the pages that the visitor's events
 * name, at their times, and in between what a visitor does: moves the mouse, scrolls, types and clicks. Deterministic.
 */
import { SECOND } from '../lib/time/time.ts'
import { cartText, IDS, recordedPage } from './recorded-page.ts'
import { createRandom, type Random } from './seeded-random.ts'
import type { ShopEvent, ShopVisit } from './shop.ts'

const WIDTH = 1280
const HEIGHT = 800

interface RecordedEvent {
  type: number
  timestamp: number
  data: object
}

const incremental = (timestamp: number, data: object): RecordedEvent => ({ type: 3, timestamp, data })

function move(at: number, random: Random): RecordedEvent {
  const positions = [0, 1, 2].map((step) => ({
    x: random.between(200, WIDTH - 200),
    y: random.between(120, HEIGHT - 200),
    id: IDS.document,
    timeOffset: step * 60 - 180,
  }))
  return incremental(at, { source: 1, positions })
}

function click(at: number): RecordedEvent[] {
  const button = (type: number, offset: number) =>
    incremental(at + offset, { source: 2, type, id: IDS.button, x: 300, y: 420 })
  return [button(1, 0), button(0, 80), button(2, 90)]
}

/** What is typed is masked, as the SDK does. */
const typing = (at: number, length: number): RecordedEvent[] =>
  Array.from({ length }, (_, i) =>
    incremental(at + i * 150, { source: 5, id: IDS.search, text: '*'.repeat(i + 1), isChecked: false }),
  )

const consoleLine = (timestamp: number, level: string, text: string): RecordedEvent => ({
  type: 6,
  timestamp,
  data: { plugin: 'rrweb/console@1', payload: { level, trace: [], payload: [JSON.stringify(text)] } },
})

/** What happens from one event of the visitor to the next. */
interface Scene {
  event: ShopEvent
  at: number
  /** When the next event happens. */
  until: number
  /** Items in the cart before. */
  inCart: number
}

function open({ event, at, inCart }: Scene): RecordedEvent[] {
  const { $current_url: href, $pathname: path } = event.properties
  return [
    { type: 4, timestamp: at, data: { href, width: WIDTH, height: HEIGHT } },
    {
      type: 2,
      timestamp: at + 20,
      data: { node: recordedPage(String(path), inCart), initialOffset: { left: 0, top: 0 } },
    },
  ]
}

function addToCart({ at, inCart }: Scene): RecordedEvent[] {
  const texts = [{ id: IDS.cart, value: cartText(inCart + 1) }]
  const counted = incremental(at + 120, { source: 0, texts, attributes: [], removes: [], adds: [] })
  return [...click(at), counted, consoleLine(at + 130, 'log', 'cart updated')]
}

/** By the name of the event; others cannot be seen. */
const SHOWN: Record<string, (scene: Scene) => RecordedEvent[]> = {
  $pageview: open,
  $autocapture: ({ at }) => click(at),
  $identify: ({ at, event }) => typing(at, String((event.properties.$set as { email: string }).email).length),
  'added to cart': addToCart,
  'order placed': ({ at }) => [...click(at), consoleLine(at + 200, 'warn', 'the payment took 1.4 s')],
}

/** The visitor looks around until the next event; how much, depends on the visitor. */
function lookAround({ at, until }: Scene, random: Random): RecordedEvent[] {
  const moves: RecordedEvent[] = []
  const most = random.between(2, 12)
  // Leaves time for what was begun at `at`.
  for (let time = at + 6 * SECOND; time < until - SECOND && moves.length < most; time += random.between(300, 1_500)) {
    moves.push(move(time, random))
  }
  return moves
}

function scroll({ at, until }: Scene, random: Random): RecordedEvent[] {
  const time = at + 5 * SECOND
  return time < until ? [incremental(time, { source: 3, id: IDS.document, x: 0, y: random.between(0, 120) })] : []
}

/** The rrweb events of a visit, by time. */
function makeRecording({ events }: ShopVisit, random: Random): RecordedEvent[] {
  let inCart = 0
  const scenes = events.flatMap((event, index) => {
    const at = Date.parse(event.timestamp)
    const next = events[index + 1]
    const scene = { event, at, until: next ? Date.parse(next.timestamp) : at + 8 * SECOND, inCart }
    if (event.event === 'added to cart') inCart += 1
    const shown = SHOWN[event.event]?.(scene) ?? []
    return [...shown, ...scroll(scene, random), ...lookAround(scene, random)]
  })
  return scenes.sort((a, b) => a.timestamp - b.timestamp)
}

/** The body of the request by which the SDK sends it. */
export function recordingRequest(token: string, visit: ShopVisit, number: number): object[] {
  const { sessionId, distinctId } = visit
  return [
    {
      event: '$snapshot',
      uuid: sessionId.replace(/^.{8}/, number.toString(16).padStart(8, '0')),
      properties: {
        token,
        distinct_id: distinctId,
        $session_id: sessionId,
        $window_id: sessionId,
        $lib: 'web',
        $snapshot_data: makeRecording(visit, createRandom(number + 1)),
      },
    },
  ]
}
