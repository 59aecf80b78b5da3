/**
 * Builds what browsers load: the player page by the compiler, file by file, and the web app by Vite. Each file of the app
 * that is worth it also lies there compressed, as the server compresses none of them.
 */
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** As the server does not compress an answer up to this size either (src/http/output/compression.ts). */
const SMALL = 1_024
const TEXT = /\.(?:js|css|svg)$/

/** `compile` runs the compiler on a project, into a folder. */
export function buildPlayer(folder, compile) {
  compile(join('src', 'web', 'player', 'tsconfig.build.json'), join(folder, 'player'))
  copyFileSync(join('src', 'web', 'player', 'page.css'), join(folder, 'player', 'page.css'))
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
  const { LICENSES, webConfig } = await import('./web-config.mjs')
  const out = join(folder, 'app')
  await build(webConfig(out))
  renameSync(join(out, LICENSES), join(folder, 'licenses.txt'))
  for (const name of readdirSync(out).filter((name) => TEXT.test(name))) writeCompressed(join(out, name))
}
