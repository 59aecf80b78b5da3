/** Kinds of parameters that several screens have in their addresses. */
import type { SearchField } from '../search.ts'

/** As the API counts where a page begins. */
export const offset: SearchField<number> = {
  fallback: 0,
  parse: (given) => (/^\d{1,9}$/.test(given) ? Number(given) : undefined),
  format: String,
}
