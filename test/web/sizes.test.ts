/** What a browser loads, compressed by gzip: the first load and each screen stay within their budgets. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const KB = 1_024
const APP = new URL('../../dist/web/app/', import.meta.url).pathname

interface Chunk {
  file: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const manifest = JSON.parse(readFileSync(join(APP, 'manifest.json'), 'utf8')) as Record<string, Chunk>
const sizeOf = (file: string): number => gzipSync(readFileSync(join(APP, file)), { level: 9 }).length

/** A chunk with all that it imports. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const other of manifest[name]?.imports ?? []) closureOf(other, found)
  return found
}

const sum = (files: Iterable<string>): number => [...new Set(files)].reduce((all, file) => all + sizeOf(file), 0)
const scriptsOf = (names: Iterable<string>): string[] => [...names].map((name) => manifest[name]?.file ?? '')

const first = closureOf('app.html')
/** Screens, and what screens load later. */
const screens = Object.entries(manifest).filter(([, chunk]) => chunk.isDynamicEntry)

it('the first load: at most 140 KB of scripts and 12 KB of styles', () => {
  expect(sum(scriptsOf(first))).toBeLessThanOrEqual(140 * KB)
  expect(sum([...first].flatMap((name) => manifest[name]?.css ?? []))).toBeLessThanOrEqual(12 * KB)
})

/** What long lists are drawn with: loaded once, by the first screen that has one. */
const isOfLists = (name: string): boolean => /^_?lists-/.test(manifest[name]?.file ?? '')

/** What is there already when this is loaded: the first load, and the screen that loads it. */
function loadedBefore(name: string): Set<string> {
  const found = new Set(first)
  for (const [other, { dynamicImports = [] }] of screens) if (dynamicImports.includes(name)) closureOf(other, found)
  return found
}

it('each screen: at most 15 KB more, without what long lists are drawn with, which is at most 10 KB', () => {
  expect(screens.length).toBeGreaterThan(5)
  const large = screens.filter(([name]) => {
    const before = loadedBefore(name)
    const own = [...closureOf(name)].filter((other) => !before.has(other) && !isOfLists(other))
    return sum(scriptsOf(own)) > 15 * KB
  })
  expect(large.map(([name]) => name)).toEqual([])
  const lists = Object.keys(manifest).filter(isOfLists)
  expect(lists.length).toBe(1)
  expect(sum(scriptsOf(lists))).toBeLessThanOrEqual(10 * KB)
})

it('all of the app: at most 480 KB, and no font', () => {
  const files = readdirSync(APP)
  const loaded = files.filter((name) => /\.(?:js|css|svg)$/.test(name))
  expect(sum(loaded)).toBeLessThanOrEqual(480 * KB)
  expect(files.filter((name) => /\.(?:woff2?|ttf|otf)$/.test(name))).toEqual([])
})

it('what is compressed lies beside each file that is worth it', () => {
  const files = readdirSync(APP).filter((name) => /\.(?:js|css|svg)$/.test(name))
  const lacking = files.filter((name) => {
    const isLarge = readFileSync(join(APP, name)).length > 1_024
    return isLarge && !['.br', '.gz'].every((ending) => readdirSync(APP).includes(name + ending))
  })
  expect(lacking).toEqual([])
})
