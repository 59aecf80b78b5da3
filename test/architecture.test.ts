/**
 * The architecture, as ARCHITECTURE.md tells it: its tables of layers say what may import what. Every source file is
 * held to them and to a size that can be read at once, every folder to a number of files that can be looked through, what
 * is also for browsers imports nothing that they lack, and names that were replaced by plainer ones do not come back.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url).pathname
const MOST_LINES = 400
const MOST_FILES = 24

interface Layer {
  /** Names of its folders and files below src/, without slash or ending. */
  names: string[]
  mayImport: string[]
}

/** The name of a layer's folder or file: `lib` of `lib/ids.ts`, `app` of `app.ts`. */
const nameOf = (path: string): string => path.split('/')[0]?.replace(/(?:\.test)?\.(?:cts|tsx?)$/, '') ?? ''

/** `name`: of what stands in the first column. */
function readTable(text: string, head: string, name: (path: string) => string): Layer[] {
  const [, table = ''] = text.split(`| ${head} | what it does | may import |\n|---|---|---|\n`)
  const rows = table.split('\n\n')[0]?.split('\n') ?? []
  return rows.map((row) => {
    const cells = row.split('|').map((cell) => cell.trim())
    const names = [...(cells[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => name(match[1] ?? ''))
    const last = cells[3] ?? ''
    return { names, mayImport: last === 'nothing' ? [] : last.split(', ') }
  })
}

const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
const layers = readTable(architecture, 'folder', nameOf)

/** Of web/, by paths below it: folders without their slash, files as they are. */
const webLayers = readTable(architecture, 'folder of web', (path) => path.replace(/\/$/, ''))
const layerOf = (path: string): Layer | undefined => layers.find(({ names }) => names.includes(nameOf(path)))

const featureOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Of a feature, wiring knows only the file that assembles it; routes.ts its routes and what they are handed. */
function mayKnowOfFeature(from: string, to: string): boolean {
  if (from === 'routes.ts') return /\.(?:routes|feature)\.ts$/.test(to)
  return layerOf(from) !== layerOf('app.ts') || to.endsWith('.feature.ts')
}

/** The name in the table of what a path below web/ belongs to; other paths have the name of their layer. */
function webNameOf(path: string): string {
  if (!path.startsWith('web/')) return nameOf(path)
  const inside = path.slice('web/'.length)
  const names = webLayers.flatMap((layer) => layer.names)
  return names.find((name) => inside === name || inside.startsWith(`${name}/`)) ?? inside
}

const screenOf = (path: string): string | undefined => /^web\/app\/screens\/[^/]+\//.exec(path)?.[0]

/** Within web/, and from there: a screen knows no other one. */
function mayImportInWeb(from: string, to: string): boolean {
  const [own, other] = [webNameOf(from), webNameOf(to)]
  const layer = webLayers.find(({ names }) => names.includes(own))
  if (layer?.names.includes(other)) return screenOf(from) === screenOf(to)
  return layer?.mayImport.includes(other) ?? false
}

/** Both paths are below src/; one that leaves it begins with `..`. */
function mayImport(from: string, to: string): boolean {
  if (nameOf(to) === 'features' && !mayKnowOfFeature(from, to)) return false
  if (to.startsWith('..')) return from.endsWith('.test.ts') && to.startsWith('../test/')
  if (from.startsWith('web/')) return mayImportInWeb(from, to)
  const layer = layerOf(from)
  if (layer?.mayImport.includes(nameOf(to))) return true
  if (nameOf(from) === 'features' && nameOf(to) === 'features') return featureOf(from) === featureOf(to)
  return layer !== undefined && layer === layerOf(to)
}

/** Import and export lines, types too, imports for effect and those at run time. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g)
  return [...found].map((match) => posix.join(posix.dirname(path), match[1] ?? ''))
}

/** Names of the packages in import and export lines. */
const packagesOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^.'"][^'"]*)['"]/g)].map((match) => match[1] ?? '')

/**
 * Below stores/sql/ only sqlite/ knows that it is SQLite, so that another engine gets a folder next to it: the driver
 * is imported nowhere else, and nothing outside the folder imports what is in it.
 */
function isEngineApart(from: string, to: string): boolean {
  if (!from.startsWith('stores/sql/') || from.startsWith('stores/sql/sqlite/')) return true
  return to !== 'better-sqlite3' && !to.startsWith('stores/sql/sqlite/')
}

/** Written by `npm run api-types`. */
const GENERATED = ['web/app/data/schema.d.ts']

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:cts|tsx?)$/.test(path) && !GENERATED.includes(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'src', path), 'utf8') }))

describe('the source files', () => {
  it('are found, with their imports', () => {
    expect(sources.length).toBeGreaterThan(300)
    const imports = sources.flatMap(({ path, text }) => importsOf(path, text))
    expect(imports.length).toBeGreaterThan(1_000)
    const text = `import { a } from './a.ts'\nimport type {\n  B,\n} from '../rules/b.ts'\nimport './c.ts'
      export { d } from "./d.ts"\nconst e = await import('../e.ts')\nimport { f } from 'f'`
    expect(importsOf('lib/x.ts', text)).toEqual(['lib/a.ts', 'rules/b.ts', 'lib/c.ts', 'lib/d.ts', 'e.ts'])
  })

  it('belong to the layers of ARCHITECTURE.md, all of which exist', () => {
    const named = layers.flatMap(({ names }) => names).sort()
    expect([...new Set(sources.map(({ path }) => nameOf(path)))].sort()).toEqual(named)
    expect(layers.flatMap((layer) => layer.mayImport).filter((name) => !named.includes(name))).toEqual([])
  })

  it('import only what their layer may', () => {
    const breaches = sources.flatMap(({ path, text }) =>
      importsOf(path, text)
        .filter((to) => !mayImport(path, to))
        .map((to) => `${path} → ${to}`),
    )
    expect(breaches).toEqual([])
  })

  it('of the web app belong to its own table, all of which exist', () => {
    const web = sources.filter(({ path }) => path.startsWith('web/') && !path.endsWith('.d.ts'))
    const named = webLayers.flatMap(({ names }) => names)
    expect([...new Set(web.map(({ path }) => webNameOf(path)))].sort()).toEqual(
      named.filter((name) => name !== 'app/look').sort(),
    )
    const known = [...named, ...layers.flatMap(({ names }) => names)]
    expect(webLayers.flatMap((layer) => layer.mayImport).filter((name) => !known.includes(name))).toEqual([])
  })

  it('of the web app import no module of Node, nor does what they lead to, and of the model types only', () => {
    const texts = new Map(sources.map(({ path, text }) => [path, text]))
    const seen = new Set<string>()
    const follow = (path: string): void => {
      const text = texts.get(path)
      if (text === undefined || seen.has(path)) return
      seen.add(path)
      for (const to of importsOf(path, text)) follow(to)
    }
    follow('web/app/main.tsx')
    expect(seen.size).toBeGreaterThan(50)
    const node = [...seen].filter((path) => packagesOf(texts.get(path) ?? '').some((name) => name.startsWith('node:')))
    expect(node).toEqual([])
    const model = sources.filter(
      ({ path, text }) => path.startsWith('web/') && /^import (?!type )[^']*'[^']*\/model\//m.test(text),
    )
    expect(model.map(({ path }) => path)).toEqual([])
  })

  it('name the SQL engine in its own folder only', () => {
    const breaches = sources.flatMap(({ path, text }) =>
      [...importsOf(path, text), ...packagesOf(text)]
        .filter((to) => !isEngineApart(path, to))
        .map((to) => `${path} → ${to}`),
    )
    expect(breaches).toEqual([])
  })

  it(`have at most ${MOST_LINES} lines`, () => {
    const lines = (text: string) => text.replace(/\n$/, '').split('\n').length
    const long = sources.filter(({ text }) => lines(text) > MOST_LINES)
    expect(long.map(({ path }) => path)).toEqual([])
  })
})

/** Without the imports and exports of types only, of which nothing is left at run time. */
const withoutTypes = (text: string): string =>
  text.replace(/\b(?:import|export)\s+type\s+(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+)\s+from\s*['"][^'"]*['"]/g, '')

/** Of these source files and of all that they import, step by step: the modules of Node and the packages, types aside. */
function packagesBehind(paths: string[]): string[] {
  const reached = new Set(paths)
  const found: string[] = []
  // What is added to a set while it is gone through comes later in the same loop.
  for (const path of reached) {
    const source = sources.find((one) => one.path === path)
    if (source === undefined) throw new Error(`${path} is no source file`)
    const text = withoutTypes(source.text)
    for (const to of importsOf(path, text)) reached.add(to)
    found.push(...packagesOf(text).map((name) => `${path} → ${name}`))
  }
  return found
}

describe('what is also for browsers', () => {
  const shown = sources.map(({ path }) => path).filter((path) => /^insight-display\/.*(?<!\.test)\.ts$/.test(path))

  it('imports no module of Node and no package, nor does anything that it imports', () => {
    expect(shown.length).toBeGreaterThan(2)
    expect(packagesBehind(shown)).toEqual([])
  })

  it('may import their types', () => {
    const types = `import type { A } from 'a'\nimport type {\n  B,\n} from "b"\nimport type * as C from 'c'\nimport type D from 'd'
      export type { E } from 'e'\nexport type * from 'f'`
    const code = `export type G = string\nimport { type H } from 'h'\nimport 'i'\nconst j = await import('j')`
    expect(packagesOf(withoutTypes(`${types}\n${code}`))).toEqual(['h', 'i', 'j'])
  })

  it('would be found, however far away', () => {
    expect(packagesBehind(['rules/insights/insight-fields.ts'])).toContain('lib/ids.ts → node:crypto')
    expect(packagesBehind(['lib/text/human-format.ts', 'model/insights/insight-result.ts'])).toEqual([])
  })
})

describe('the features', () => {
  const assembling = sources.filter(({ path }) => path.endsWith('.feature.ts'))

  it('are assembled by one file each, named as its folder, which exports create<Name>Feature and <Name>Feature', () => {
    expect(assembling.length).toBeGreaterThan(20)
    const wrong = assembling.filter(({ path, text }) => {
      const folder = path.split('/')[1] ?? ''
      const name = folder.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
      const creates = new RegExp(`^export (?:function|const) create${name}Feature\\b`, 'm')
      const isNamed = path === `features/${folder}/${folder}.feature.ts`
      return !isNamed || !creates.test(text) || !text.includes(`export type ${name}Feature = `)
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('are made by wiring: routes.ts imports only their types', () => {
    const { text = '' } = sources.find(({ path }) => path === 'routes.ts') ?? {}
    const lines = text.split('\n').filter((line) => line.includes(".feature.ts'"))
    expect(lines).toHaveLength(assembling.length)
    expect(lines.filter((line) => !line.startsWith('import type '))).toEqual([])
  })
})

/** All below the folders of ours, by their paths from the root; not what tests compare with. */
const inFolders = ['src', 'test', 'bench', 'scripts', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !path.startsWith('test/fixtures/')),
)

it(`no folder has more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>()
  for (const path of inFolders) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  expect(counts.size).toBeGreaterThan(50)
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([])
})

/** Files that have a plainer name now. */
const OLD_FILES =
  `explain judge share-door gathered-reads property-test durations sunday figures shared-commits report-of
  callers at-most carrier lane house take-due tell-disabled announce empty-log page-room open-interval made made-batch
  made-recording made-many read-call legal-id turns pieces reach parcel leave`.split(/\s+/)

/** Words in names and texts that were replaced, as they stood there. */
const OLD_WORDS =
  `judgeShape judgeUrl explainField Judged gatherReads sharedCommits nextSunday createReportOf createCallers
  createReach Parcel DeliveryWish SplitWish PolicyWishes loner doomed doomEvents LaneParts createDice DurationsOptions
  hearOut createLookOut unpackUnderWatch createTurns createLeaving writeLeaving readLeaving takeDue TELL_DISABLED
  createAnnounce PATTERN_REACH PropertyTest buryOne burialWriter freshReads believedNow CarrierParts keepStatements
  house.test`.split(/\s+/)
const OLD_SENTENCES = [
  'house test',
  'the house\\b',
  'the floors',
  'HTTP floor',
  'room of its own',
  'is dear',
  'at each asking',
]

describe('names that were replaced', () => {
  const named = new Set(OLD_FILES.map((name) => `${name}.`))
  const isOld = (path: string) => named.has(`${posix.basename(path).replace(/(?:\.test|\.contract)?\.\w+$/, '')}.`)
  const documents = readdirSync(ROOT).filter((path) => path.endsWith('.md'))
  const files = [...inFolders, ...documents]
    .filter((path) => /\.(?:tsx?|cts|mjs|md)$/.test(path))
    // The changelog tells what was; this file lists the names.
    .filter((path) => path !== 'CHANGELOG.md' && path !== 'test/architecture.test.ts')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

  it('name no file', () => {
    expect(['src/a/judge.ts', 'src/http/judge.test.ts', 'src/validate.ts'].map(isOld)).toEqual([true, true, false])
    expect(inFolders.filter(isOld)).toEqual([])
  })

  it('stand in no file', () => {
    const escaped = OLD_WORDS.map((word) => word.replaceAll('.', '\\.'))
    const pattern = new RegExp(`\\b(?:${escaped.join('|')})\\b|${OLD_SENTENCES.join('|')}`)
    expect(pattern.test('const a = createReach(b)')).toBe(true)
    const found = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})

it.each([
  ['stores/outbox/drainer.ts', 'transports/mail.ts'],
  ['rules/persons/person-name.ts', 'transports/mail.ts'],
  ['http/server.ts', 'demo/demo.ts'],
  ['lib/ids.ts', 'model/accounts/key.ts'],
  ['model/accounts/key.ts', 'lib/ids.ts'],
  ['config.ts', 'stores/open.ts'],
  ['features/keys/keys.ts', 'features/users/users.feature.ts'],
  ['features/keys/keys.ts', 'stores/open.ts'],
  ['features/keys/keys.ts', 'build-features.ts'],
  ['jobs/runner.ts', 'rules/persons/person-name.ts'],
  ['demo/demo.ts', 'features/capture/capture.ts'],
  ['routes.ts', 'stores/open.ts'],
  ['routes.ts', 'build-features.ts'],
  ['routes.ts', 'app-parts.ts'],
  ['routes.ts', 'features/keys/keys.ts'],
  ['schedule.ts', 'features/deletions/deletions.ts'],
  ['app.ts', 'features/keys/authenticate.ts'],
  ['app.ts', 'features/keys/keys.routes.ts'],
  ['build-features.ts', 'features/keys/keys.ts'],
  ['app.ts', 'cli/serve.ts'],
  ['cli/keys.ts', 'charts/png.ts'],
  ['insight-display/theme.ts', 'rules/insights/insight-fields.ts'],
  ['rules/insights/insight-fields.ts', 'insight-display/theme.ts'],
  ['start.cts', 'cli/serve.ts'],
  ['web/player/shared-page.ts', 'insight-display/theme.ts'],
  ['web/app/kit/form/button.tsx', 'web/app/data/client.ts'],
  ['web/app/screens/keys/keys.screen.tsx', 'web/app/screens/start/snippets.ts'],
  ['web/app/screens/keys/keys.screen.tsx', 'web/app/shell/sidebar.tsx'],
  ['web/app/data/client.ts', 'web/app/kit/class-names.ts'],
  ['web/app/main.tsx', 'features/keys/keys.ts'],
  ['features/app-page/app-html.ts', 'web/app/data/boot.ts'],
  ['lib/ids.ts', '../test/support/app.ts'],
  ['lib/ids.test.ts', '../bench/main.ts'],
])('%s may not import %s', (from, to) => {
  expect(mayImport(from, to)).toBe(false)
})

it.each([
  ['features/keys/keys.ts', 'features/keys/new-key.ts'],
  ['web/app/screens/keys/keys.screen.tsx', 'web/app/kit/form/button.tsx'],
  ['web/app/kit/text/number.tsx', 'lib/text/human-format.ts'],
  ['features/keys/keys.ts', 'rules/accounts/key-secret.ts'],
  ['app.ts', 'build-features.ts'],
  ['build-features.ts', 'features/keys/keys.feature.ts'],
  ['routes.ts', 'features/keys/keys.feature.ts'],
  ['routes.ts', 'features/keys/keys.routes.ts'],
  ['main.ts', 'cli/serve.ts'],
  ['config.test.ts', 'config.ts'],
  ['charts/legend.ts', 'insight-display/theme.ts'],
  ['charts/png.test.ts', '../test/support/browser/pixels.ts'],
])('%s may import %s', (from, to) => {
  expect(mayImport(from, to)).toBe(true)
})

it.each([
  ['stores/sql/repositories/keys.ts', 'better-sqlite3'],
  ['stores/sql/repositories/persons/persons.ts', 'stores/sql/sqlite/dialect.ts'],
  ['stores/sql/queries/property-filter.test.ts', 'stores/sql/sqlite/functions.ts'],
  ['stores/sql/sql-stores.ts', 'stores/sql/sqlite/scans.ts'],
])('%s may not import %s, which is one engine', (from, to) => {
  expect(isEngineApart(from, to)).toBe(false)
})
