/**
 * The explorer's page and the script that starts it. No script is inline, so the policy needs no exception for that.
 */

export const DOCUMENT_PATH = '/api/schema/'
export const EXPLORER_PATH = '/api/docs/'
export const SCRIPT_PATH = '/api/docs/scalar.js'
export const START_PATH = '/api/docs/start.js'

/** Everything from this server only. The explorer creates its own style elements, hence the one exception. */
export const EXPLORER_CSP = [
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

export const EXPLORER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hedgerow API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="explorer"></div>
    <noscript>The explorer needs JavaScript. The document it shows is at <a href="${DOCUMENT_PATH}">${DOCUMENT_PATH}</a>.</noscript>
    <script src="${SCRIPT_PATH}"></script>
    <script src="${START_PATH}"></script>
  </body>
</html>
`

/** No telemetry, and no fonts, proxies or assistants from other servers; a key that is entered is not stored. */
const OPTIONS = {
  url: DOCUMENT_PATH,
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

/**
 * Requests go to the server that the page came from, whatever address the document names: the policy allows no other.
 * The script's own address says where that server's paths begin.
 */
export const START_SCRIPT = `const options = ${JSON.stringify(OPTIONS)}
const url = document.currentScript.src.slice(0, -${JSON.stringify(START_PATH)}.length)
Scalar.createApiReference('#explorer', { ...options, servers: [{ url }] })
`
