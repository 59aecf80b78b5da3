/** Which requests are listed, under the API's names. */

import { offset } from '../../data/address/search-fields.ts'
import { anyText, choice, defineSearch } from '../../data/search.ts'

export const STATUSES = ['all', 'pending', 'completed'] as const

export interface DeletionsState {
  status: (typeof STATUSES)[number]
  person_uuid: string
  offset: number
}

export const deletionsSearch = defineSearch<DeletionsState>({
  status: choice(STATUSES, 'all'),
  person_uuid: anyText(),
  offset,
})
