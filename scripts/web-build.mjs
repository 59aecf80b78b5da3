/**
 * Builds what browsers load: the player page by esbuild and the web app by Vite. Each file of the app that is worth it also
 * lies there compressed, as the server compresses none of them.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'

/** As the server does not compress an answer up to this size either (src/http/output/compression.ts). */
const SMALL = 1_024
const LICENSES = 'licenses.txt'
const TEXT = /\.(?:js|css|svg)$/

/** Of the player page: each becomes one file, with all that it imports. */
const PLAYER_ENTRIES = ['shared-page.ts', 'frame.ts', 'page.css']
const PLAYER = join('src', 'web', 'player')

/** The names of what it bundles, with their licences. */
function licensesOf(inputs) {
  const roots = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  const packages = [...new Set(roots)]
    .sort()
    .map((root) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const lines = packages.map(({ name, version, license }) => `${name} - ${version} (${license})`)
  return `The player bundles:\n\n${lines.join('\n')}\n`
}

/** By esbuild, as the server: a share can be opened where the app could not be built. */
export async function buildPlayer(folder) {
  const { metafile } = await esbuild({
    entryPoints: PLAYER_ENTRIES.map((name) => join(PLAYER, name)),
    outdir: join(folder, 'player'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  })
  writeFileSync(join(folder, LICENSES), licensesOf(Object.keys(metafile.inputs)))
}

function writeCompressed(path) {
  const bytes = readFileSync(path)
  if (bytes.length <= SMALL) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

/** Fails when Vite cannot be loaded, as where it has no binary for this machine. */
export async function buildApp(folder) {
  // Whoever starts the build, such as tests, may say otherwise, and packages would be bundled as for development.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const { LICENSES: ours, webConfig } = await import('./web-config.mjs')
  const out = join(folder, 'app')
  await build(webConfig(out))
  appendFileSync(join(folder, LICENSES), `\n${readFileSync(join(out, ours), 'utf8')}`)
  rmSync(join(out, ours))
  for (const name of readdirSync(out).filter((name) => TEXT.test(name))) writeCompressed(join(out, name))
}
