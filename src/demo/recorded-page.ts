/** The pages of the example shop as rrweb's trees of nodes. */

type Node = Record<string, unknown>

/** Ids of the nodes that later events refer to; the same on every page. */
export const IDS = { document: 1, button: 20, cart: 31, search: 40 }

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f8f4;color:#1d2b1f}
header{background:#2f5d3a;color:#fff;padding:16px 32px;display:flex;justify-content:space-between}
main{max-width:860px;margin:32px auto;background:#fff;padding:32px;border-radius:12px}
button{background:#2f5d3a;color:#fff;border:0;border-radius:8px;padding:12px 20px;font-size:16px}
input{padding:10px;border:1px solid #b9c7bb;border-radius:8px;width:320px;font-size:16px}`

/** Heading, paragraphs and the label of the button, by path. */
const CONTENT: Record<string, [heading: string, lines: string[], button: string]> = {
  '/': [
    'Plants for hedges',
    ['Bare root, from our own field.', 'Order by noon, planted on Saturday.'],
    'See all plants',
  ],
  '/plants': ['All plants', ['Hawthorn', 'Hazel', 'Blackthorn', 'Dog rose', 'Field maple', 'Spindle'], 'Open'],
  '/cart': ['Your cart', ['Delivered from November to March.'], 'To the checkout'],
  '/checkout': ['Checkout', ['Pay by invoice.', 'We plant a metre of hedge for each order.'], 'Place the order'],
}

function plantContent(path: string): [string, string[], string] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace('-', ' ')
  const heading = name.charAt(0).toUpperCase() + name.slice(1)
  return [
    heading,
    ['A native hedge plant, bare root, 60 to 90 cm.', 'Delivered from November to March.'],
    'Add to cart',
  ]
}

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

export const cartText = (items: number): string => `Cart: ${items}`

/** The document of a page, with this many items in the cart. */
export function recordedPage(path: string, inCart: number): Node {
  const { text, element } = createBuilder()
  const [heading, lines, label] = CONTENT[path] ?? plantContent(path)
  const style = element('style', {}, [{ ...text(STYLE), isStyle: true }])
  const cart = element('span', { id: 'cart' }, [text(cartText(inCart), IDS.cart)])
  const body = [
    element('header', {}, [element('strong', {}, [text('Hedgerow Plants')]), cart]),
    element('main', {}, [
      element('input', { type: 'text', placeholder: 'Search plants' }, [], IDS.search),
      element('h1', {}, [text(heading)]),
      ...lines.map((line) => element('p', {}, [text(line)])),
      element('button', { type: 'button' }, [text(label)], IDS.button),
    ]),
  ]
  const html = element('html', { lang: 'en' }, [element('head', {}, [style]), element('body', {}, body)])
  const doctype = { type: 1, name: 'html', publicId: '', systemId: '', id: 2 }
  return { type: 0, childNodes: [doctype, html], id: IDS.document }
}
