/** Which events are listed, under the API's names; `columns`: properties that have one; `open`: the event that is looked at. */

import { names } from '../../data/address/search-fields.ts'
import { anyText, defineSearch } from '../../data/search.ts'

export interface EventsState {
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  after: string
  before: string
  /** The API's own JSON. */
  properties: string
  cursor: string
  columns: readonly string[]
  open: string
}

export const eventsSearch = defineSearch<EventsState>({
  event: anyText(),
  distinct_id: anyText(),
  person_id: anyText(),
  session_id: anyText(),
  after: anyText(),
  before: anyText(),
  properties: anyText(),
  cursor: anyText(),
  columns: names,
  open: anyText(),
})
