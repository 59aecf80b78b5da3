import { afterAll, beforeAll } from 'vitest'
import type { EventStore } from '../../../model/event.ts'
import { eventPropertyFilters } from '../../contract/event-list.contract.ts'
import { openDuckdbEvents } from '../events.ts'

let store: EventStore
let lastProject = 0
beforeAll(async () => {
  store = await openDuckdbEvents(':memory:')
})
afterAll(() => store.close())

eventPropertyFilters(() => ({ store, projectId: ++lastProject }))
