/** `lang`: whose snippet is shown. */
import { choice, defineSearch } from '../../data/search.ts'

export const LANGS = ['browser', 'node', 'python', 'curl', 'existing'] as const
export type Lang = (typeof LANGS)[number]

export const startSearch = defineSearch<{ lang: Lang }>({ lang: choice(LANGS, 'browser') })
