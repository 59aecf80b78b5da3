/**
 * `npm run web`: the web app from its sources, reloaded when they change, with the API and the boot data of a server that
 * runs: the one at port 8000, or `npm run web -- http://127.0.0.1:9000`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'vite'
import { APP, webConfig } from './web-config.mjs'

const target = process.argv[2] ?? 'http://127.0.0.1:8000'
const PASSED_ON =
  '^/(?:api|static|_preflight|_ready|_health|logout|favicon\\.ico|array|e|i|s|flags|batch|capture)(?:/|\\?|$)'
const BOOT = /<script type="application\/json" id="boot">[^<]*<\/script>/
const THEME = /data-theme="\w+"/

/** The server's page, with the app's sources in the place of its build. */
async function page(vite, request) {
  const answer = await fetch(target + request.originalUrl, {
    headers: { accept: 'text/html', cookie: request.headers.cookie ?? '' },
    redirect: 'manual',
  })
  const sent = await answer.text()
  const [boot, theme] = [BOOT.exec(sent)?.[0], THEME.exec(sent)?.[0]]
  if (boot === undefined) return null
  const source = (await readFile(join(APP, 'app.html'), 'utf8')).replaceAll('"./', '"/')
  const html = source.replace(BOOT, () => boot).replace(THEME, () => theme ?? 'data-theme="system"')
  return vite.transformIndexHtml(request.originalUrl, html)
}

const config = webConfig('dist/web/app')

const vite = await createServer({
  ...config,
  appType: 'custom',
  base: '/',
  logLevel: 'info',
  server: { host: '127.0.0.1', port: 5173, proxy: { [PASSED_ON]: { target } } },
  plugins: [
    ...config.plugins,
    {
      name: 'pages',
      configureServer: (server) => () => {
        server.middlewares.use(async (request, response, next) => {
          try {
            const html = await page(server, request)
            if (html === null) return next()
            response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
          } catch (error) {
            next(error)
          }
        })
      },
    },
  ],
})
await vite.listen()
vite.printUrls()
