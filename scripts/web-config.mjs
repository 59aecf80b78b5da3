/** How Vite builds the web app and serves it to developers. All addresses are relative: a proxy may strip a path. */
import { join, resolve } from 'node:path'

export const APP = join('src', 'web', 'app')

/** Written beside the app by Vite, moved to its place by the build. */
export const LICENSES = 'licenses.md'

/** One chunk of what changes with package-lock.json only, one of each screen; what several screens share goes along. */
const CHUNKS = {
  groups: [{ name: 'vendor', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/ }],
}

export const webConfig = (outDir) => ({
  configFile: false,
  root: resolve(APP),
  base: './',
  publicDir: false,
  logLevel: 'warn',
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
    rolldownOptions: { input: resolve(APP, 'app.html'), output: { codeSplitting: CHUNKS } },
  },
})
