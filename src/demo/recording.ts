/**
 * A realistic session recording as rrweb events: a visitor opens a page, moves the mouse, scrolls, puts a plant into
 * the cart and types into the search field. Deterministic, and playable.
 */
import { SECOND } from '../lib/time/time.ts'
import { createRandom, type Random } from './seeded-random.ts'
import { type ShopVisit, SITE } from './shop.ts'

type Node = Record<string, unknown>

/** Ids of the nodes that later events refer to. */
const IDS = { document: 1, button: 20, cart: 31, search: 40 }
const WIDTH = 1280
const HEIGHT = 800

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f8f4;color:#1d2b1f}
header{background:#2f5d3a;color:#fff;padding:16px 32px;display:flex;justify-content:space-between}
main{max-width:860px;margin:32px auto;background:#fff;padding:32px;border-radius:12px}
button{background:#2f5d3a;color:#fff;border:0;border-radius:8px;padding:12px 20px;font-size:16px}
input{padding:10px;border:1px solid #b9c7bb;border-radius:8px;width:320px;font-size:16px}`

/** Builds a tree of nodes with unique ids. */
function createBuilder() {
  let next = 100
  const text = (textContent: string, id = next++): Node => ({ type: 3, textContent, id })
  const element = (tagName: string, attributes: object, childNodes: Node[], id = next++): Node => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id,
  })
  return { text, element }
}

function page(plant: string): Node {
  const { text, element } = createBuilder()
  const style = element('style', {}, [{ ...text(STYLE), isStyle: true }])
  const cart = element('span', { id: 'cart' }, [text('Cart: 0', IDS.cart)])
  const paragraphs = ['A native hedge plant, bare root, 60 to 90 cm.', 'Delivered from November to March.']
  const body = [
    element('header', {}, [element('strong', {}, [text('Hedgerow Plants')]), cart]),
    element('main', {}, [
      element('input', { type: 'text', placeholder: 'Search plants' }, [], IDS.search),
      element('h1', {}, [text(plant)]),
      ...paragraphs.map((line) => element('p', {}, [text(line)])),
      element('button', { type: 'button' }, [text('Add to cart')], IDS.button),
    ]),
  ]
  const html = element('html', { lang: 'en' }, [element('head', {}, [style]), element('body', {}, body)])
  const doctype = { type: 1, name: 'html', publicId: '', systemId: '', id: 2 }
  return { type: 0, childNodes: [doctype, html], id: IDS.document }
}

const incremental = (timestamp: number, data: object) => ({ type: 3, timestamp, data })

function mouse(from: number, random: Random): object[] {
  return Array.from({ length: 6 }, (_, i) => {
    const positions = [0, 1, 2].map((step) => ({
      x: random.between(200, WIDTH - 200),
      y: random.between(120, HEIGHT - 200),
      id: IDS.document,
      timeOffset: step * 60 - 180,
    }))
    return incremental(from + i * 700, { source: 1, positions })
  })
}

/** One click on the button, and the cart that counts it. */
function addToCart(at: number): object[] {
  const click = (type: number, offset: number) =>
    incremental(at + offset, { source: 2, type, id: IDS.button, x: 300, y: 420 })
  const counted = { source: 0, texts: [{ id: IDS.cart, value: 'Cart: 1' }], attributes: [], removes: [], adds: [] }
  return [click(1, 0), click(0, 80), click(2, 90), incremental(at + 120, counted)]
}

const typing = (at: number, word: string): object[] =>
  [...word].map((_, i) =>
    incremental(at + i * 180, { source: 5, id: IDS.search, text: '*'.repeat(i + 1), isChecked: false }),
  )

/** The rrweb events of a visit, by time. */
function makeRecording(visit: ShopVisit, number: number): object[] {
  const random = createRandom(number + 1)
  const { startAt } = visit
  const plant = random.pick(['Hawthorn', 'Hazel', 'Blackthorn', 'Dog rose'])
  const href = `${SITE}/plants/${plant.toLowerCase().replace(' ', '-')}`
  return [
    { type: 4, timestamp: startAt, data: { href, width: WIDTH, height: HEIGHT } },
    { type: 2, timestamp: startAt + 20, data: { node: page(plant), initialOffset: { left: 0, top: 0 } } },
    ...mouse(startAt + SECOND, random),
    incremental(startAt + 6 * SECOND, { source: 3, id: IDS.document, x: 0, y: random.between(0, 80) }),
    ...typing(startAt + 7 * SECOND, plant.toLowerCase()),
    ...mouse(startAt + 10 * SECOND, random),
    ...addToCart(startAt + 15 * SECOND),
    {
      type: 6,
      timestamp: startAt + 16 * SECOND,
      data: { plugin: 'rrweb/console@1', payload: { level: 'log', trace: [], payload: ['"cart updated"'] } },
    },
    ...mouse(startAt + 18 * SECOND, random),
  ]
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
        $snapshot_data: makeRecording(visit, number),
      },
    },
  ]
}
