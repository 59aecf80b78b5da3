/** The rows of the app's table of contents. Its own types are those of a browser, which these tests do not know. */

import { personUuid } from '../../../src/rules/persons/identity.ts'

export interface ScreenRow {
  path: string
  name: string
  in: 'look' | 'records' | 'project' | 'you' | 'account' | 'thing'
  key?: string
}

const FILE = new URL('../../../src/web/app/screens.ts', import.meta.url).pathname

export const screens = ((await import(FILE)) as { screens: ScreenRow[] }).screens

/** Whose screens about one thing are looked at, where there is somebody. */
export const SOMEBODY = 'jane@example.com'

/** Of the recording that is looked at, where there is one. */
export const SESSION = '01970000-0000-7000-8000-000000000001'

const NAMED: Record<string, string> = {
  $project: '1',
  $uuid: personUuid(1, SOMEBODY),
  $distinct_id: encodeURIComponent(SOMEBODY),
  $session: SESSION,
}

/** A path that leads there. */
export const pathOf = ({ path }: ScreenRow): string => path.replaceAll(/\$\w+/g, (name) => NAMED[name] ?? name)
