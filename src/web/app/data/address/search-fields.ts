/** Kinds of parameters that several screens have in their addresses. */
import type { SearchField } from '../search.ts'

/** As the API counts where a page begins. */
export const offset: SearchField<number> = {
  fallback: 0,
  parse: (given) => (/^\d{1,9}$/.test(given) ? Number(given) : undefined),
  format: String,
}

const escapeComma = (name: string): string => name.replaceAll('%', '%25').replaceAll(',', '%2C')
const restoreComma = (name: string): string => name.replaceAll('%2C', ',').replaceAll('%25', '%')

/** Names with commas between them, each once. */
export const names: SearchField<readonly string[]> = {
  fallback: [],
  parse(given) {
    const all = given === '' ? [] : given.split(',').map(restoreComma)
    return all.includes('') || new Set(all).size < all.length ? undefined : all
  },
  format: (list) => list.map(escapeComma).join(','),
}
