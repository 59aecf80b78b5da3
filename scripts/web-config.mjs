/** How Vite builds the web app and serves it to developers. All addresses are relative: a proxy may strip a path. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const APP = join('src', 'web', 'app')

/** Written beside the app by Vite, moved to its place by the build. */
export const LICENSES = 'licenses.md'

/**
 * One chunk of what every page needs and changes with package-lock.json only, one of what long lists are drawn with, one of
 * what every page says and asks with, one of each screen; what several screens share goes along.
 */
const CHUNKS = {
  groups: [
    {
      name: 'vendor',
      priority: 2,
      test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler|@tanstack(?![\\/](?:react-)?virtual))[\\/]/,
    },
    { name: 'lists', priority: 1, test: /[\\/]node_modules[\\/]@tanstack[\\/](?:react-)?virtual/ },
    // Small, and needed by every page: apart they compress less well.
    { name: 'data', test: /[\\/]app[\\/]data[\\/](?:search|client|address[\\/](?:given|search-fields|cursor))\.ts$/ },
  ],
}

/**
 * The order of the layers counts where it is said first, and which stylesheet a browser loads first is anybody's guess: so
 * each of them says it.
 */
const sayLayers = {
  name: 'say-layers',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.module.css')) return null
    const [order = ''] = /^@layer [^{;]+;$/m.exec(readFileSync(join(APP, 'look', 'layers.css'), 'utf8')) ?? []
    return { code: `${order}\n${code}`, map: null }
  },
}

/**
 * Icons are drawn on 15 by 15 points, of which nobody sees a hundredth. Most of their bytes are digits behind that, and all
 * icons of the app are in the first load: their package is one file.
 */
const roundIcons = {
  name: 'round-icons',
  transform(code, id) {
    if (!id.includes('@radix-ui/react-icons')) return null
    return { code: code.replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))), map: null }
  },
}

/** Of packages that are also made for servers, which means nothing here; and that a build on a busy machine takes long. */
const IGNORED = ['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS']

const onLog = (level, log, pass) => {
  if (!IGNORED.includes(log.code)) pass(level, log)
}

export const webConfig = (outDir) => ({
  configFile: false,
  root: resolve(APP),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [sayLayers, roundIcons],
  css: { modules: { generateScopedName: '[name]__[local]__[hash:base64:5]' } },
  build: {
    outDir: resolve(outDir),
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    target: 'es2022',
    manifest: 'manifest.json',
    license: { fileName: LICENSES },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: resolve(APP, 'app.html'), onLog, output: { codeSplitting: CHUNKS } },
  },
})
