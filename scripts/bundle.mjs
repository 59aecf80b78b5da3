/**
 * Bundles of the build (see src/lib/bundle.cts): what `npm start` runs is in three files instead of a thousand, and what
 * the engine compiles of them during a start is kept beside them.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

/** Their files in the build's folder, by name. */
const BUNDLES = {
  serve: 'serve.js',
  'events-worker': 'stores/duckdb/events-worker.js',
  'scan-worker': 'stores/sql/sqlite/scan-worker.js',
}

/** Native, loaded only when needed, or only asked where their files are. */
const PACKAGES = [
  '@aws-sdk/client-s3',
  'better-sqlite3',
  '@duckdb/node-bindings',
  '@resvg/resvg-js',
  '@scalar/fastify-api-reference',
  'dejavu-fonts-ttf',
  'echarts',
  'nodemailer',
  'pg',
  'posthog-js',
  'rrule-temporal',
]

/**
 * What is different in a bundle. A module finds files from where it is: that stays the place of its own file, which the
 * build has as well. And packages that are loaded later are imported by whoever runs the bundle.
 */
const adapt = (text, place) =>
  text.replaceAll('import.meta.url', `urlOf(${JSON.stringify(place)})`).replace(/\bimport\((?=['"])/g, 'importPackage(')

const adaptOurs = (folder) => ({
  name: 'adapt-ours',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const place = relative(folder, path)
      if (place.startsWith('..')) return null
      return { contents: adapt(await readFile(path, 'utf8'), place), loader: 'js' }
    })
  },
})

const URL_OF = `const urlOf = (place) => require('node:url').pathToFileURL(__dirname + '/' + place).href;`

/** Bundles what the compiler has written to `folder`. */
export async function bundle(folder) {
  const { metafile } = await build({
    absWorkingDir: resolve(folder),
    entryPoints: Object.fromEntries(Object.entries(BUNDLES).map(([name, file]) => [name, `./${file}`])),
    outdir: '.',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: PACKAGES,
    banner: { js: URL_OF },
    plugins: [adaptOurs(resolve(folder))],
    metafile: true,
    logLevel: 'warning',
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const later = imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path)
  if (later.length > 0) throw new Error(`a bundle cannot import later: ${later.join(', ')}`)
}

/** Starts what is in `folder` once, with an empty data folder, and keeps what the engine has compiled; false if it fails. */
export function keepCompiled(folder) {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-build-'))
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('HEDGEROW_'))
  const own = { HEDGEROW_DATA_DIR: dataDir, HEDGEROW_PORT: '0', HEDGEROW_LOG_LEVEL: 'error' }
  const env = { ...Object.fromEntries(others), ...own }
  try {
    const args = [join('scripts', 'keep-compiled.cjs'), resolve(folder)]
    const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 2], timeout: 60_000 })
    return status === 0
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
