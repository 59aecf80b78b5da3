/** The rows of the app's table of contents. Its own types are those of a browser, which these tests do not know. */

export interface ScreenRow {
  path: string
  name: string
  in: 'look' | 'project' | 'you' | 'account'
  key?: string
}

const FILE = new URL('../../../src/web/app/screens.ts', import.meta.url).pathname

export const screens = ((await import(FILE)) as { screens: ScreenRow[] }).screens

/** A path that leads there. */
export const pathOf = ({ path }: ScreenRow): string => path.replace('$project', '1')
