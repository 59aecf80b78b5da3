/**
 * The explorer's page and the script that starts it. No script is inline, so the policy needs no exception for that. All
 * addresses are relative to where the browser found the page, so that it works below a path that a proxy takes away.
 */

export const DOCUMENT_PATH = '/api/schema/'
export const EXPLORER_PATH = '/api/docs/'
export const SCRIPT_PATH = '/api/docs/scalar.js'
export const STORAGE_PATH = '/api/docs/storage.js'
export const START_PATH = '/api/docs/start.js'

/**
 * Everything from this server only. The explorer creates its own style elements, hence the one exception. It is a program
 * of others and shows texts of the API, so it runs in a sandbox: its origin is none, and no cookie of ours goes with what
 * it asks for. The API answers any origin, so requests with a key work.
 */
export const EXPLORER_CSP = [
  'sandbox allow-scripts allow-forms allow-popups',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `root`: from the page to the root of the server. */
export const explorerPage = (root: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hedgerow API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="explorer"></div>
    <noscript>The explorer needs JavaScript. The document it shows is at <a href="${root}${DOCUMENT_PATH.slice(1)}">${DOCUMENT_PATH}</a>.</noscript>
    <script src="${root}${STORAGE_PATH.slice(1)}"></script>
    <script src="${root}${SCRIPT_PATH.slice(1)}"></script>
    <script src="${root}${START_PATH.slice(1)}"></script>
  </body>
</html>
`

/** No telemetry, and no fonts, proxies or assistants from other servers; a key that is entered is not stored. */
const OPTIONS = {
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'personalApiKey' },
}

/** A document in a sandbox has no storage, and the explorer fails without: it gets one that ends with the page. */
export const STORAGE_SCRIPT = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const value = {
    get length() { return kept.size },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, text) => void kept.set(String(key), String(text)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  }
  Object.defineProperty(window, name, { value })
}
`

/** Calls the server that the page came from, whatever address the document names: the policy allows no other. */
export const START_SCRIPT = `{
  const root = new URL('../..', document.currentScript.src).href.replace(/\\/$/, '')
  const options = ${JSON.stringify(OPTIONS)}
  Scalar.createApiReference('#explorer', { ...options, url: root + '${DOCUMENT_PATH}', servers: [{ url: root }] })
}
`
