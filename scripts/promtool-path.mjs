/** Where the set-up of the tests puts promtool, unless PROMTOOL_PATH names one: in a cache that outlives `npm ci`. */
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')

export const PROMTOOL = process.env.PROMTOOL_PATH ?? join(cache, 'hedgerow', `promtool-${process.arch}`)
