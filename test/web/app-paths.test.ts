/** The server sends the app at every path of its table of contents, and at no other that the table does not lead to. */
import { expect, it } from 'vitest'
import { APP_PATHS } from '../../src/features/app-page/app-paths.ts'
import { pathOf, screens } from '../support/web/screens.ts'

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path

it('knows the path of every screen', () => {
  const unknown = screens.map(pathOf).filter((path) => !APP_PATHS.some((pattern) => covers(pattern, path)))
  expect(unknown).toEqual([])
})

/** For screens that come later. */
const LATER = ['/instance/*']

it('has no path that leads to no screen', () => {
  const idle = APP_PATHS.filter((pattern) => !screens.some((screen) => covers(pattern, pathOf(screen))))
  expect(idle).toEqual(LATER)
})

it('no two screens have the same path or the same key', () => {
  const keys = screens.flatMap(({ key }) => (key === undefined ? [] : [key]))
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length)
  expect(new Set(keys).size).toBe(keys.length)
})
