/**
 * A synthetic session on a shop's page of average size, as the SDK would send it: a full snapshot (about 140 kB) every
 * ten requests, mouse paths, scrolling, clicks, network entries and changes to the page. Deterministic, so that every
 * run stores the same bytes. Words, classes and URLs are random, which makes it harder to compress
 * than real pages are; the real recordings in test/fixtures are measured too.
 */

export interface RrwebEvent {
  type: number
  data: unknown
  timestamp: number
}

type Node = Record<string, unknown>

const WORDS = `time person year way day thing world life hand part child eye place work week case point company number
group problem fact shipping cart order price discount review blue cotton shirt wool jacket leather boots summer winter
sale new size small large medium colour delivery return payment secure checkout account profile settings wishlist`.split(
  /\s+/,
)
const CARDS = 150
const REQUESTS = 20
const EVENTS_EACH = 60
const FULL_EVERY = 10

function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  // Some words are used more than others.
  const word = (): string => WORDS[Math.floor(next() * next() * WORDS.length)] ?? ''
  const words = (n: number): string => Array.from({ length: n }, word).join(' ')
  return { next, below, word, words }
}

type Random = ReturnType<typeof createRandom>

function createPage(random: Random) {
  let id = 0
  const { below, word, words } = random
  const classes = Array.from({ length: 120 }, () => `${word()}-${word()}__${word()}_${below(2 ** 20).toString(36)}`)
  const someClass = (among: number): string => classes[below(among)] ?? ''
  const element = (tagName: string, attributes: object, childNodes: Node[]): Node => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id: ++id,
  })
  const text = (textContent: string): Node => ({ type: 3, textContent, id: ++id })
  const card = (): Node =>
    element('div', { class: `${someClass(120)} ${someClass(120)}`, 'data-id': String(below(1e6)) }, [
      element('img', { src: `https://cdn.example.com/p/${below(2 ** 30).toString(16)}.jpg`, alt: words(3) }, []),
      element('h3', { class: someClass(20) }, [text(words(4))]),
      element('p', { class: someClass(20) }, [text(words(12 + below(20)))]),
      element('span', { class: someClass(20) }, [text(`€${below(300)}.99`)]),
      element('a', { href: `https://shop.example.com/item/${below(1e6)}?ref=${word()}`, class: someClass(120) }, [
        text(words(2)),
      ]),
    ])
  const rule = (): string =>
    `.${someClass(120)}{margin:${below(40)}px ${below(40)}px;color:rgb(${below(255)},${below(255)},${below(255)})}`
  const css = Array.from({ length: 400 }, rule).join('')
  const whole = (): Node => {
    const head = element('head', {}, [element('style', { _cssText: css }, [])])
    const body = element('body', { class: someClass(1) }, Array.from({ length: CARDS }, card))
    return { node: { type: 0, childNodes: [element('html', { lang: 'en' }, [head, body])], id: ++id } }
  }
  return { card, whole, someClass }
}

/** The events of each request of one session, in order. */
export function makeSession(seed: number, startAt: number): RrwebEvent[][] {
  const random = createRandom(seed)
  const { next, below, word, words } = random
  const { card, whole, someClass } = createPage(random)
  const mouse = { x: 700, y: 400, id: 50 }
  let timestamp = startAt
  const move = (timeOffset: number) => {
    mouse.x = Math.min(1_439, Math.max(0, mouse.x + below(60) - 30))
    mouse.y = Math.min(899, Math.max(0, mouse.y + below(40) - 20))
    if (next() < 0.3) mouse.id = Math.max(5, mouse.id + below(7) - 3)
    return { ...mouse, timeOffset }
  }
  const near = (): number => mouse.id + below(12)
  const change = () => ({
    source: 0,
    texts: next() < 0.5 ? [{ id: near(), value: words(3) }] : [],
    attributes: Array.from({ length: below(5) }, () => ({ id: near(), attributes: { class: someClass(120) } })),
    removes: next() < 0.3 ? [{ parentId: near(), id: near() }] : [],
    adds: next() < 0.4 ? [{ parentId: near(), nextId: null, node: card() }] : [],
  })
  const request = () => ({
    plugin: 'rrweb/network@1',
    payload: { requests: [{ name: `https://api.example.com/${word()}/${below(1e6)}`, duration: below(1e4) / 10 }] },
  })
  const step = (): RrwebEvent => {
    timestamp += 50
    const kind = next()
    if (kind < 0.5) {
      const positions = Array.from({ length: 1 + below(10) }, (_, i) => move(i * 50 - 450))
      return { type: 3, data: { source: 1, positions }, timestamp }
    }
    if (kind < 0.6) return { type: 3, data: { source: 3, id: 1, x: 0, y: mouse.y * 3 }, timestamp }
    if (kind < 0.7) return { type: 3, data: { source: 2, type: below(7), ...mouse }, timestamp }
    return kind < 0.75 ? { type: 6, data: request(), timestamp } : { type: 3, data: change(), timestamp }
  }
  const arrive = (): RrwebEvent[] => [
    { type: 4, data: { href: `https://shop.example.com/${word()}`, width: 1440, height: 900 }, timestamp },
    { type: 2, data: whole(), timestamp },
  ]
  return Array.from({ length: REQUESTS }, (_, i) => [
    ...(i % FULL_EVERY === 0 ? arrive() : []),
    ...Array.from({ length: EVENTS_EACH }, step),
  ])
}
