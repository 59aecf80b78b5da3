/** docs/performance.md names files and bench lines that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url).pathname
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const rows = read('docs/performance.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

const benchFiles = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)
const benchLines = benchFiles.flatMap((name) =>
  [...read(`bench/${name}`).matchAll(/^ {2}name: '([^']+)'/gm)].map((match) => match[1] ?? ''),
)

it('has a place, a reason, a gain, a Node version and a bench line for each trick', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter((cells) => cells.length !== 6 || cells.some((cell) => cell === ''))).toEqual([])
  expect(rows.map((cells) => cells[4]).filter((node) => !/^\d+\.\d+$/.test(node ?? ''))).toEqual([])
})

it('names files that exist', () => {
  const files = rows.flatMap((cells) => [...(cells[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''))
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([])
})

it('names lines of the bench', () => {
  expect(benchLines.length).toBeGreaterThan(10)
  const named = rows.flatMap((cells) => (cells[5] ?? '').split('; ')).filter((line) => !line.startsWith('none'))
  expect(named.filter((line) => !benchLines.some((name) => name.startsWith(line)))).toEqual([])
})
