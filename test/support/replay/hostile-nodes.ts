/**
 * What a recorded page may have in it that runs something, or asks for something, wherever nothing keeps it from that. A
 * player has to draw all of them and to do none of it.
 */
import { node, type Rrweb } from './hand-made-recording.ts'

export interface Hostile {
  /** What it would run. */
  runs: string
  /** Where it would ask; `kind` tells in which way. */
  at: (kind: string) => string
}

type Node = ReturnType<typeof node>
type Attributes = Record<string, string>

const BODY = 5
const HEADING = 6

/** Numbers its nodes from here on. */
function numbering(first: number) {
  let id = first
  const text = (textContent: string, more: object = {}) => ({ type: 3, id: id++, textContent, ...more })
  const element = (tagName: string, attributes: Attributes = {}, children: unknown[] = []): Node =>
    node(id++, tagName, children, attributes)
  const drawn = (tagName: string, attributes: Attributes = {}, children: unknown[] = []) => ({
    ...element(tagName, attributes, children),
    isSVG: true,
  })
  return { text, element, drawn }
}

const LINKS: Attributes[] = [
  { rel: 'stylesheet' },
  { rel: 'StyleSheet', media: 'all' },
  { rel: 'alternate stylesheet', title: 'other' },
  { rel: 'preload', as: 'style' },
  { rel: 'preload', as: 'script' },
  { rel: 'PRELOAD', as: 'script' },
  { rel: 'preload', as: 'fetch', crossorigin: 'use-credentials' },
  { rel: 'preload', as: 'fetch', crossorigin: 'anonymous' },
  { rel: 'preload', as: 'image' },
  { rel: 'preload', as: 'font', crossorigin: 'anonymous' },
  { rel: 'preload', as: 'track', crossorigin: 'anonymous' },
  { rel: 'modulepreload' },
  { rel: 'ModulePreload' },
  { rel: 'prefetch' },
  { rel: 'prefetch', as: 'document' },
  { rel: 'prerender' },
  { rel: 'icon' },
  { rel: 'manifest', crossorigin: 'use-credentials' },
  { rel: 'search', type: 'application/opensearchdescription+xml' },
  { rel: 'preconnect' },
  { rel: 'dns-prefetch' },
]

const nameOf = (link: Attributes): string => `link-${Object.values(link).join('-').replaceAll(/[ /+]/g, '_')}`

/** The second time from other tag names, as a browser makes one of them. */
const links = ({ at }: Hostile, { element }: ReturnType<typeof numbering>) =>
  LINKS.flatMap((link) => [
    element('link', { ...link, href: at(nameOf(link)) }),
    element('LINK', { ...link, href: at(`upper-${nameOf(link)}`) }),
  ])

const styles = ({ at }: Hostile, { element, text }: ReturnType<typeof numbering>) => [
  element('style', {}, [text(`@import "${at('import')}";`, { isStyle: true })]),
  element('style', { _cssText: `@import url(${at('import-text')}); h1 { background: url(${at('css-text')}) }` }),
  element('link', { rel: 'stylesheet', href: at('inlined'), _cssText: `@import url(${at('import-inlined')});` }),
  element('style', {}, [
    text(`h1 { background: url(${at('css')}); cursor: url(${at('cursor')}), auto; filter: url(${at('filter')}#f) }
      @font-face { font-family: theirs; src: url(${at('font')}) } h1, p { font-family: theirs }
      p { background: image-set(url(${at('image-set')}) 1x); list-style: url(${at('list')}); mask: url(${at('mask')}#m) }`),
  ]),
  element('p', { style: `background: url(${at('style-attribute')}); content: url(${at('content')})` }, [text('said')]),
]

const media = ({ at, runs }: Hostile, { element }: ReturnType<typeof numbering>) => [
  element('img', { src: at('img'), onerror: runs, onload: runs }),
  element('img', { srcset: `${at('srcset')} 1x, ${at('srcset-2')} 2x` }),
  element('picture', {}, [element('source', { srcset: at('picture') }), element('img', { alt: '' })]),
  element('input', { type: 'image', src: at('input') }),
  element('table', { background: at('background') }),
  element('video', { src: at('video'), poster: at('poster'), autoplay: 'true', onerror: runs }, [
    element('track', { src: at('track'), kind: 'subtitles', default: 'true' }),
  ]),
  element('audio', { autoplay: 'true' }, [element('source', { src: at('audio') })]),
  element('object', { data: at('object') }),
  element('embed', { src: at('embed') }),
]

const documents = ({ at, runs }: Hostile, { element, text }: ReturnType<typeof numbering>) => [
  element('iframe', { src: at('iframe') }),
  element('iframe', { src: `javascript:${runs}` }),
  element('iframe', {
    srcdoc: `<script>${runs}</script><link rel="preload" as="fetch" href="${at('srcdoc-link')}">
      <link rel="stylesheet" href="${at('srcdoc-style')}"><img src="${at('srcdoc-img')}" onerror="${runs}">`,
  }),
  element('frame', { src: at('frame') }),
  element('meta', { 'http-equiv': 'refresh', content: `0; url=${at('refresh')}` }),
  element('base', { href: at('base'), target: '_top' }),
  element('form', { action: at('form') }, [element('input', { autofocus: 'true', onfocus: runs })]),
  element('script', {}, [text(`${runs}; fetch("${at('fetch')}"); new Worker("${at('worker')}")`)]),
  element('script', { src: at('script') }),
  element('script', { type: 'speculationrules' }, [
    text(`{"prefetch": [{"source": "list", "urls": ["${at('speculation')}"], "eagerness": "immediate"}]}`),
  ]),
  element('a', { href: at('link'), ping: at('ping') }, [text('A link')]),
  element('a', { href: `javascript:${runs}` }, [text('A script')]),
  element('details', { open: 'true', ontoggle: runs }),
]

const drawings = ({ at, runs }: Hostile, { drawn, text }: ReturnType<typeof numbering>) => [
  drawn('svg', { onload: runs }, [
    drawn('use', { href: at('use') }),
    drawn('use', { 'xlink:href': `${at('xlink-use')}#a` }),
    drawn('image', { href: at('svg-image'), width: '9', height: '9' }),
    drawn('image', { 'xlink:href': at('xlink-image'), width: '9', height: '9' }),
    drawn('filter', { id: 'f' }, [drawn('feImage', { href: at('fe-image') })]),
    drawn('rect', { width: '9', height: '9', filter: 'url(#f)', fill: `url(${at('fill')}#g)` }),
    drawn('style', {}, [text(`@import "${at('svg-import')}";`)]),
    drawn('script', { href: at('svg-script') }, [text(runs)]),
    drawn('svg:script', { href: at('svg-script-2') }, [text(runs)]),
  ]),
]

/** Nodes of the body, numbered from `first` on. */
export function hostileNodes(hostile: Hostile, first: number): unknown[] {
  const numbered = numbering(first)
  return [links, styles, media, documents, drawings].flatMap((nodes): unknown[] => nodes(hostile, numbered))
}

const change = (timestamp: number, more: object): Rrweb => ({
  type: 3,
  timestamp,
  data: { source: 0, texts: [], attributes: [], removes: [], adds: [], ...more },
})

interface Add {
  parentId: number
  nextId: null
  node: object
}

/** A recorder adds each node by itself, before those in it. */
const addsOf = (parentId: number, nodes: unknown[]): Add[] =>
  (nodes as (Node & { childNodes?: unknown[] })[]).flatMap(({ childNodes = [], ...one }) => [
    { parentId, nextId: null, node: { ...one, childNodes: [] } },
    ...addsOf(one.id, childNodes),
  ])

/** They are added to the body while it is recorded. */
export const added = (timestamp: number, nodes: unknown[]): Rrweb => change(timestamp, { adds: addsOf(BODY, nodes) })

/** What was harmless becomes hostile: attributes change, rules are added to sheets. Nodes are numbered from `first` on. */
export function hostileChanges({ runs, at }: Hostile, timestamp: number, first: number): Rrweb[] {
  const { element } = numbering(first)
  const late = ['link', 'a', 'img', 'iframe', 'style'].map((name) => element(name))
  const [link, anchor, image, frame, style] = late.map(({ id }) => id)
  const attributes = [
    { id: HEADING, attributes: { onclick: runs, style: `background: url(${at('late-style')})` } },
    { id: link, attributes: { rel: 'preload', as: 'fetch', href: at('late-link'), crossorigin: 'use-credentials' } },
    { id: anchor, attributes: { href: at('late-a'), ping: at('late-ping') } },
    { id: image, attributes: { src: at('late-img'), onerror: runs } },
    { id: frame, attributes: { src: at('late-iframe') } },
    { id: style, attributes: { _cssText: `@import url(${at('late-import')}); p { color: red }` } },
  ]
  const rule = { source: 8, id: style, adds: [{ rule: `@import url(${at('late-rule')});`, index: 0 }] }
  const font = { source: 10, family: 'late', fontSource: `url(${at('late-font')})`, buffer: false }
  return [
    added(timestamp, late),
    change(timestamp + 1, { attributes }),
    { type: 3, timestamp: timestamp + 2, data: rule },
    { type: 3, timestamp: timestamp + 3, data: font },
    {
      type: 3,
      timestamp: timestamp + 4,
      data: {
        source: 13,
        id: style,
        index: [0],
        set: { property: 'background', value: `url(${at('late-rule-style')})` },
      },
    },
  ]
}
