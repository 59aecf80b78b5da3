/**
 * A small shop on a port of its own: the page of a customer who has put the SDK's snippet into it, or one that serves
 * an SDK of its own.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'

export interface Shop {
  url: string
  /** Requested paths, in order. */
  asked: string[]
  close(): Promise<void>
}

export interface ShopSdk {
  /** Its files, which the shop serves below /sdk/. */
  folder: string
  /** What the page loads it with, given the project's token and the options. */
  head: (token: string, options: object) => string
}

/** The snippet as customers get it: it loads the SDK from the given address. */
const SNIPPET = `!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){var o=e.split(".");2==o.length&&(t=t[o[0]],e=o[1]),t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).type="text/javascript",p.crossOrigin="anonymous",p.async=!0,p.src=s.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(void 0!==a?u=e[a]=[]:a="posthog",u.people=u.people||[],u.toString=function(t){var e="posthog";return"posthog"!==a&&(e+="."+a),t||(e+=" (stub)"),e},u.people.toString=function(){return u.toString(1)+".people (stub)"},o="init capture register register_once identify alias group reset".split(" "),n=0;n<o.length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);`

const SDK_OF_THE_SERVER = 's.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js"'

const initialised = (snippet: string, token: string, options: object): string =>
  `<script>${snippet}\n    posthog.init(${JSON.stringify(token)}, ${JSON.stringify(options)})</script>`

/** The same snippet on a page that serves the script itself. */
export const ownSnippet = (path: string, token: string, options: object): string =>
  initialised(SNIPPET.replace(SDK_OF_THE_SERVER, JSON.stringify(path)), token, options)

const PAGE = (head: string): string => `<!doctype html>
<html>
  <head>
    <title>Hedge shop</title>
    <link rel="icon" href="data:,">
    <style>body { font: 16px sans-serif; margin: 24px } #orders { color: seagreen }</style>
    ${head}
  </head>
  <body>
    <h1 id="title">Hedge shop</h1>
    <img src="/logo.svg" alt="" width="40" height="40">
    <p><button id="buy">Buy a hedge</button> <button id="talk">Talk</button> <a id="basket" href="/basket">Basket</a></p>
    <p><label>Name <input id="name"></label></p>
    <ul id="orders"></ul>
    <script>
      let orders = 0
      document.getElementById('buy').addEventListener('click', () => {
        const item = document.createElement('li')
        item.textContent = 'Order ' + ++orders + ' placed'
        document.getElementById('orders').append(item)
      })
      document.getElementById('talk').addEventListener('click', () => {
        console.log('a hedge is', { green: true })
        console.warn('it grows')
        console.error('it has thorns')
      })
      document.getElementById('basket').addEventListener('click', (event) => {
        event.preventDefault()
        history.pushState(null, '', '/basket')
        document.getElementById('title').textContent = 'Your basket'
      })
    </script>
  </body>
</html>
`

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="green"/></svg>'

export async function openShop(
  apiHost: () => string,
  token: string,
  options: object = {},
  sdk?: ShopSdk,
): Promise<Shop> {
  const asked: string[] = []
  const headOf = sdk?.head ?? ((...of) => initialised(SNIPPET, ...of))
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/logo.svg') return response.setHeader('content-type', 'image/svg+xml').end(LOGO)
    const file = /^\/sdk(\/[^?]+)/.exec(request.url ?? '')?.[1]
    if (sdk && file) {
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(join(sdk.folder, normalize(file))))
    }
    const frame = /^\/frame\?(.+)$/.exec(request.url ?? '')?.[1]
    const body = frame
      ? `<!doctype html><iframe width="900" height="700" src="${decodeURIComponent(frame)}"></iframe>`
      : PAGE(headOf(token, { api_host: apiHost(), ...options }))
    return response.setHeader('content-type', 'text/html').end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
