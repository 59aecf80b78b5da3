/** Which events are followed, under the API's names. */

import { anyText, defineSearch } from '../../data/search.ts'

export interface LiveState {
  event: string
  distinct_id: string
}

export const liveSearch = defineSearch<LiveState>({ event: anyText(), distinct_id: anyText() })
