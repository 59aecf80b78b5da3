import { describe, expect, it } from 'vitest'
import { drawable } from './drawable.ts'
import { FULL_SNAPSHOT, INCREMENTAL, MUTATION } from './recorded-event.ts'

const element = (tagName: unknown, more: object = {}) => ({
  type: 2,
  id: 9,
  tagName,
  attributes: {},
  childNodes: [],
  ...more,
})

/** The node as a part of a full snapshot, repaired. */
function repaired(node: unknown) {
  const html = { type: 2, id: 2, tagName: 'html', attributes: {}, childNodes: [node] }
  const event = { type: FULL_SNAPSHOT, timestamp: 1, data: { node: { type: 0, id: 1, childNodes: [html] } } }
  return drawable(event).data.node.childNodes[0].childNodes[0]
}

describe('elements', () => {
  it.each(['div', 'my-element', 'a:b', 'svg:rect', 'H1', 'ö', '_x', 'x.y-1'])('keep the name %s', (name) => {
    expect(repaired(element(name)).tagName).toBe(name)
  })
  it.each(['a:b@c', '123', '<b>', '', ' div', 'a b', '-x', 'a=b', '"', 'x{{y}}', 'a/b', 5, null, undefined, {}])(
    'with the name %j are unknown ones, with their id, attributes and children',
    (name) => {
      const text = { type: 3, id: 10, textContent: 'x' }
      expect(repaired(element(name, { attributes: { class: 'a' }, childNodes: [text] }))).toEqual(
        element('unknown', { attributes: { class: 'a' }, childNodes: [text] }),
      )
    },
  )
  it.each(['xml:a', 'xmlns:a', 'a:b:c', ':a', 'a:', '9'])('of a drawing are unknown ones with the name %s', (name) => {
    expect(repaired(element(name, { isSVG: true })).tagName).toBe('unknown')
    expect(repaired(element('sodipodi:namedview', { isSVG: true })).tagName).toBe('sodipodi:namedview')
  })
  it('are custom ones, and hosts of a shadow, only where browsers let them be', () => {
    expect(repaired(element('font-face', { isCustom: true })).isCustom).toBe(false)
    expect(repaired(element('My-Thing', { isCustom: true })).isCustom).toBe(false)
    expect(repaired(element('my-thing', { isCustom: true })).isCustom).toBe(true)
    expect(repaired(element('img', { isShadowHost: true })).isShadowHost).toBe(false)
    for (const host of ['div', 'h2', 'my-thing']) {
      expect(repaired(element(host, { isShadowHost: true })).isShadowHost).toBe(true)
    }
  })
  it('lose what the player would fail at', () => {
    const attributes = { rr_mediaState: 'played', rr_mediaVolume: 7, rr_mediaPlaybackRate: 1_000, class: 'a' }
    expect(repaired(element('div', { attributes })).attributes).toEqual({ class: 'a' })
    const fine = { rr_mediaState: 'played', rr_mediaVolume: 0.5, rr_mediaPlaybackRate: 2 }
    expect(repaired(element('video', { attributes: { ...fine } })).attributes).toEqual(fine)
    expect(repaired(element('img', { isSVG: true, attributes: { rr_dataURL: 'data:,' } })).attributes).toEqual({})
    expect(repaired(element('p', { attributes: null, childNodes: 'x' }))).toEqual(element('p'))
  })
})

describe('what asks the server for something', () => {
  const NAMES = ['ping', 'PING', 'srcdoc', 'SrcDoc']

  it.each(['link', 'LINK', 'Link'])('a %s becomes the style that it had', (name) => {
    const attributes = { rel: 'stylesheet', href: '/theirs.css', _cssText: 'p { color: red }' }
    expect(repaired(element(name, { attributes }))).toEqual(element('style', { attributes }))
  })
  it.each(NAMES)('the attribute %s goes', (name) => {
    expect(repaired(element('a', { attributes: { href: '/x', [name]: '/y' } })).attributes).toEqual({ href: '/x' })
  })
  it.each(NAMES)('the attribute %s is not set later either', (name) => {
    const attributes = [null, { id: 6 }, { id: 7, attributes: { href: '/x', [name]: '/y' } }]
    const event = { type: INCREMENTAL, timestamp: 1, data: { source: MUTATION, attributes } }
    expect(drawable(event).data.attributes[2]).toEqual({ id: 7, attributes: { href: '/x' } })
  })
})

describe('what leads elsewhere', () => {
  const changed = (src: unknown, remote: boolean) => {
    const data = { source: MUTATION, attributes: [{ id: 7, attributes: { src } }] }
    return drawable({ type: INCREMENTAL, timestamp: 1, data }, remote).data.attributes[0].attributes.src
  }
  it.each(['iframe', 'IFRAME', 'frame'])('is not the address of an %s', (name) => {
    const attributes = { src: 'https://shop.example/', SRC: 'https://shop.example/', class: 'a' }
    expect(repaired(element(name, { attributes })).attributes).toEqual({ class: 'a' })
  })
  it('is the address of an image, also of one that changes where images may be loaded', () => {
    const attributes = { src: 'https://shop.example/logo.svg' }
    expect(repaired(element('img', { attributes: { ...attributes } })).attributes).toEqual(attributes)
    expect(changed(attributes.src, true)).toBe(attributes.src)
    expect(changed(attributes.src, false)).toBe('about:invalid')
    expect(changed('data:image/gif;base64,', false)).toBe('data:image/gif;base64,')
    expect(changed(null, false)).toBeNull()
  })
})

describe('other nodes', () => {
  it('CDATA is text', () => {
    expect(repaired({ type: 4, id: 9, textContent: 'a < b' })).toEqual({ type: 3, id: 9, textContent: 'a < b' })
    expect(repaired({ type: 4, id: 9 })).toEqual({ type: 3, id: 9, textContent: '' })
  })
  it('what is no node goes, and so do documents within elements', () => {
    const children = [
      null,
      'x',
      5,
      {},
      { type: 0, id: 3, childNodes: [] },
      { type: 1, id: 4, name: 'html' },
      element('b'),
    ]
    expect(repaired(element('div', { childNodes: children })).childNodes).toEqual([element('b')])
  })
  it('a document has a doctype, comments and one element', () => {
    const doctype = { type: 1, id: 5, name: '<html', publicId: '', systemId: '' }
    const comment = { type: 5, id: 6, textContent: null }
    const childNodes = [
      { type: 3, id: 7, textContent: 'x' },
      doctype,
      comment,
      element('html'),
      element('html'),
      doctype,
    ]
    const event = { type: FULL_SNAPSHOT, timestamp: 1, data: { node: { type: 0, id: 1, childNodes } } }
    expect(drawable(event).data.node.childNodes).toEqual([
      { ...doctype, name: 'html' },
      { ...comment, textContent: '' },
      element('html'),
    ])
  })
})

it('nodes that are added later are repaired too', () => {
  const adds = [
    { parentId: 1, nextId: null, node: element('a@b', { childNodes: [{ type: 4, id: 10 }] }) },
    null,
    { parentId: 1 },
  ]
  const event = { type: INCREMENTAL, timestamp: 1, data: { source: MUTATION, adds } }
  expect(drawable(event).data.adds).toEqual([
    { parentId: 1, nextId: null, node: element('unknown', { childNodes: [{ type: 3, id: 10, textContent: '' }] }) },
  ])
})

it('a document is added to a frame only', () => {
  const add = { parentId: 1, nextId: null, node: { type: 0, id: 10, childNodes: [] } }
  const added = (more: object) =>
    drawable({ type: INCREMENTAL, timestamp: 1, data: { source: MUTATION, adds: [structuredClone(add)], ...more } })
  expect(added({}).data.adds).toEqual([])
  expect(added({ isAttachIframe: true }).data.adds).toEqual([add])
})

it('other events, and such without their parts, pass as they are', () => {
  for (const data of [undefined, null, {}, { source: MUTATION }, { source: 5, text: 'x' }, { node: 'x' }]) {
    for (const type of [FULL_SNAPSHOT, INCREMENTAL, 4, 6]) {
      const event = { type, timestamp: 1, data }
      expect(drawable(event)).toEqual({ type, timestamp: 1, data })
    }
  }
})

it('pages nested deeper than any stack are gone through', () => {
  let node = element('a@b')
  for (let depth = 0; depth < 200_000; depth++) node = element('div', { childNodes: [node] })
  const event = { type: FULL_SNAPSHOT, timestamp: 1, data: { node } }
  let found = drawable(event).data.node
  while (found.childNodes.length > 0) found = found.childNodes[0]
  expect(found.tagName).toBe('unknown')
})
