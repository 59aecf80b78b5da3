/**
 * Makes recorded nodes drawable. The player builds a page node by node, and the first one that a browser refuses
 * (an invalid tag name, CDATA in HTML, a shadow root on an image, text directly below the document) ends the whole
 * replay. Such nodes are replaced by something similar that browsers accept, or removed; they keep their id, because
 * later events refer to it. Names are checked by the rule of older browsers; newer ones accept more. Modifies its input.
 *
 * Also removes what would ask the server for something in ways that no policy of the page forbids, as the page itself
 * fetches the recording from there: links, pings, and pages as text in an attribute, which would have links of their own. And
 * the addresses of frames: a browser connects to them before it finds that it must not ask.
 */
import { FULL_SNAPSHOT, INCREMENTAL, MUTATION, type RecordedEvent } from './recorded-event.ts'

interface RecordedNode {
  type: number
  id: number
  name?: unknown
  tagName?: unknown
  textContent?: unknown
  attributes?: Record<string, unknown>
  childNodes?: RecordedNode[]
  isSVG?: unknown
  isCustom?: unknown
  isShadowHost?: unknown
}

const [DOCUMENT, DOCUMENT_TYPE, ELEMENT, TEXT, CDATA, COMMENT] = [0, 1, 2, 3, 4, 5]

/** An element that no style sheet selects; displayed inline, as unknown elements are. */
const UNKNOWN = 'unknown'

/** Characters of the production `Name` of XML, without colons. */
const FIRST =
  'A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}'
const LATER = `${FIRST}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}`
const NAME = new RegExp(`^[:${FIRST}][:${LATER}]*$`, 'u')
/** With at most one prefix; `xml` and `xmlns` belong to other namespaces than SVG's. */
const QUALIFIED = new RegExp(`^(?!xml(?:ns)?:)[${FIRST}][${LATER}]*(?::[${FIRST}][${LATER}]*)?$`, 'u')

const CUSTOM_NAME = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/
const RESERVED = /^(?:annotation-xml|color-profile|font-face(?:-src|-uri|-format|-name)?|missing-glyph)$/
const HOSTS = /^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/
const MEDIA = /^(?:audio|video)$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNode = (value: unknown): value is RecordedNode => isObject(value) && typeof value.type === 'number'

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

const isCustomName = (name: string): boolean => CUSTOM_NAME.test(name) && !RESERVED.test(name)

/** In a recording the page of a frame is a document of its own, as far as it could be seen. */
const ASKING = new Set(['ping', 'srcdoc'])
const FRAME = /^i?frame$/i
const IN_ITSELF = /^(?:data|blob):/i
/** Shown as an image that a policy forbids. */
const NOWHERE = 'about:invalid'

function dropAsking(attributes: Record<string, unknown>, tagName = ''): void {
  for (const name of Object.keys(attributes)) {
    const known = name.toLowerCase()
    if (ASKING.has(known) || (known === 'src' && FRAME.test(tagName))) delete attributes[name]
  }
}

/** Of an element that changes only the id is known, so it may be a frame. */
function leadNowhere(attributes: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(attributes))
    if (name.toLowerCase() === 'src' && !IN_ITSELF.test(String(value)))
      attributes[name] = value === null ? null : NOWHERE
}

/** Of a link only the text of its style sheet is shown, if that was recorded, then or later: the player makes a style of it. */
const asStyle = (tagName: string): string => (tagName.toLowerCase() === 'link' ? 'style' : tagName)

/** Removes attributes with which the player would fail; it handles those whose name begins with `rr_` itself. */
function dropUnusable(attributes: Record<string, unknown>, tagName: string, isSvg: boolean): void {
  const usable: Record<string, (value: unknown) => boolean> = {
    rr_dataURL: () => !isSvg,
    rr_mediaState: () => MEDIA.test(tagName) && !isSvg,
    rr_mediaPlaybackRate: (value) => isBetween(value, 0.0625, 16),
    rr_mediaVolume: (value) => isBetween(value, 0, 1),
  }
  for (const [name, value] of Object.entries(attributes)) {
    const isObjectWithoutText = isObject(value) && typeof value.toString !== 'function'
    if (isObjectWithoutText || usable[name]?.(value) === false) delete attributes[name]
  }
}

function repairElement(node: RecordedNode): void {
  const isSvg = Boolean(node.isSVG)
  const isValid = typeof node.tagName === 'string' && (isSvg ? QUALIFIED : NAME).test(node.tagName)
  const tagName = isValid ? asStyle(node.tagName as string) : UNKNOWN
  node.tagName = tagName
  if (!isObject(node.attributes)) node.attributes = {}
  if (node.isCustom && !isCustomName(tagName)) node.isCustom = false
  if (node.isShadowHost && (isSvg || !(HOSTS.test(tagName) || isCustomName(tagName)))) node.isShadowHost = false
  dropAsking(node.attributes, tagName)
  dropUnusable(node.attributes, tagName, isSvg)
}

function repairNode(node: RecordedNode): void {
  if (node.type === ELEMENT) repairElement(node)
  if (node.type === DOCUMENT_TYPE && (typeof node.name !== 'string' || !QUALIFIED.test(node.name))) node.name = 'html'
  // HTML has no CDATA; text shows the same.
  if (node.type === CDATA) node.type = TEXT
  if (node.type === TEXT || node.type === COMMENT) node.textContent = String(node.textContent ?? '')
}

/** A document contains a doctype, comments and one element; an element anything but documents and doctypes. */
function childrenOf(node: RecordedNode): RecordedNode[] {
  const children = (Array.isArray(node.childNodes) ? node.childNodes : []).filter(isNode)
  if (node.type !== DOCUMENT) return children.filter(({ type }) => type !== DOCUMENT && type !== DOCUMENT_TYPE)
  const root = children.find(({ type }) => type === ELEMENT)
  const doctype = children.find(({ type }) => type === DOCUMENT_TYPE)
  return [...(doctype ? [doctype] : []), ...children.filter((child) => child === root || child.type === COMMENT)]
}

/** Iterative: pages can be nested deeper than the call stack. */
function repairTree(tree: RecordedNode): void {
  const left = [tree]
  for (let node = left.pop(); node; node = left.pop()) {
    repairNode(node)
    if (node.type !== DOCUMENT && node.type !== ELEMENT) continue
    node.childNodes = childrenOf(node)
    for (const child of node.childNodes) left.push(child)
  }
}

const isMutation = ({ type, data }: RecordedEvent): boolean => type === INCREMENTAL && data?.source === MUTATION

/** A document is added to a page as the content of a frame; anywhere else it would replace the page. */
const isAddition = (add: unknown, intoFrame: boolean): boolean =>
  isObject(add) && isNode(add.node) && add.node.type !== DOCUMENT_TYPE && (add.node.type !== DOCUMENT || intoFrame)

function repairMutation(data: Record<string, unknown>, remote: boolean): void {
  const { isAttachIframe, adds, attributes } = data
  if (Array.isArray(adds)) {
    const kept = adds.filter((add: unknown) => isAddition(add, isAttachIframe === true))
    for (const { node } of kept) repairTree(node)
    data.adds = kept
  }
  for (const change of Array.isArray(attributes) ? attributes : []) {
    if (!isObject(change?.attributes)) continue
    dropAsking(change.attributes)
    if (!remote) leadNowhere(change.attributes)
  }
}

/** Makes every node of the event drawable; returns the same object. `remote`: images may come from their site. */
export function drawable(event: RecordedEvent, remote = false): RecordedEvent {
  if (event.type === FULL_SNAPSHOT && isNode(event.data?.node)) repairTree(event.data.node)
  if (isMutation(event)) repairMutation(event.data, remote)
  return event
}
