/** Every class that a part names stands in its stylesheet, and every class there is named by somebody. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'

const APP = new URL('../../src/web/app/', import.meta.url).pathname
const files = readdirSync(APP, { recursive: true, encoding: 'utf8' })
const read = (path: string): string => readFileSync(join(APP, path), 'utf8')

const users = files.filter((path) => path.endsWith('.tsx')).map((path) => ({ path, text: read(path) }))
const sheets = files.filter((path) => path.endsWith('.module.css'))

const defined = (text: string): Set<string> =>
  new Set([...text.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name ?? ''))

it.each(sheets)('%s', (sheet) => {
  const names = [...defined(read(sheet).replaceAll(/\d*\.?\d+(?:rem|em|px|ms|s)\b/g, ''))]
  const using = users.filter(({ path, text }) => {
    const imported = /import styles from '([^']+)'/.exec(text)?.[1]
    return imported !== undefined && posix.join(posix.dirname(path), imported) === sheet
  })
  const texts = using.map(({ text }) => text).join('\n')
  const named = [...texts.matchAll(/styles\.(\w+)/g)].map(([, name]) => name ?? '')
  expect(named.filter((name) => !names.includes(name))).toEqual([])
  // What is looked up by a value, as in styles[kind], cannot be told.
  const isDynamic = /styles\[/.test(texts)
  expect(isDynamic ? [] : names.filter((name) => !named.includes(name))).toEqual([])
})
