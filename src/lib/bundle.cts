/**
 * A bundle is a part of the program that the build has made one file of, with most packages that it imports: a thousand
 * files take a second to find and to read. Next to it may be what the engine has compiled of it, which is used if it was
 * made by the same version of Node and saves compiling it again.
 */
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
const { createRequire } = process.getBuiltinModule('node:module')
const { dirname, join } = process.getBuiltinModule('node:path')
const { Script } = process.getBuiltinModule('node:vm')

export interface Bundles {
  compile(name: string): import('node:vm').Script
  /** Where the engine's own form of a bundle is kept. */
  compiledFileOf(name: string): string
  /** Runs what was compiled, as Node runs a file of CommonJS; returns what it exports. */
  run(name: string, script: import('node:vm').Script): unknown
  runBundle(name: string): unknown
}

/** Of built files. */
const FOLDER = dirname(__dirname)

const fileOf = (name: string): string => join(FOLDER, `${name}.cjs`)
const compiledFileOf = (name: string): string => join(FOLDER, `${name}.${process.version}-${process.arch}.compiled`)

/** What a bundle is given; the last instead of `import()`, which compiled code that was kept has lost. */
const GIVEN = 'exports, require, module, __filename, __dirname, importPackage'

const bundles: Bundles = {
  compile(name) {
    // The build writes ASCII only; a text with one byte for each character takes half the memory.
    const source = readFileSync(fileOf(name), 'latin1')
    const compiled = compiledFileOf(name)
    return new Script(`(function (${GIVEN}) {${source}\n})`, {
      // Not the path: what was compiled is kept with this name, wherever it is copied to.
      filename: `${name}.cjs`,
      cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
    })
  },
  compiledFileOf,
  run(name, script) {
    const module = { exports: {} as unknown }
    const file = fileOf(name)
    const importPackage = (specifier: string) => import(specifier)
    script.runInThisContext()(module.exports, createRequire(file), module, file, FOLDER, importPackage)
    return module.exports
  },
  runBundle: (name) => bundles.run(name, bundles.compile(name)),
}

module.exports = bundles
