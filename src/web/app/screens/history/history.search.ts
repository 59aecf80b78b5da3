/** Which entries are listed, under the API's names. */

import { offset } from '../../data/address/search-fields.ts'
import { anyText, defineSearch } from '../../data/search.ts'

export interface HistoryState {
  scope: string
  item_id: string
  user: string
  offset: number
}

export const historySearch = defineSearch<HistoryState>({
  scope: anyText(),
  item_id: anyText(),
  user: anyText(),
  offset,
})
