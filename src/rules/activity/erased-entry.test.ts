import { expect, it } from 'vitest'
import type { ActivityChange, ActivityDetail } from '../../model/accounts/activity.ts'
import { erasedDetail, withoutDistinctIds } from './erased-entry.ts'

const detailOf = (...changes: ActivityChange[]): ActivityDetail => ({
  changes,
  trigger: null,
  name: 'Ann',
  short_id: null,
  type: null,
})
const noted = (action: ActivityChange['action'], after: unknown): ActivityChange => ({
  type: 'Person',
  action,
  field: null,
  before: { uuid: 'u' },
  after,
})

it('keeps of an entry of an erased person that it was, without values, keys or names', () => {
  const change = { ...noted('changed', 'ann@example.com'), field: 'properties', key: 'email' }
  const erased = { type: 'Person', action: 'changed', field: 'properties', before: null, after: null }
  expect(erasedDetail(detailOf(change))).toEqual({ ...detailOf(), name: null, changes: [erased] })
  expect(erasedDetail({ ...detailOf(), changes: null })).toEqual({ ...detailOf(), name: null, changes: null })
})

it('keeps of a split or a merge all but the ids that are forgotten', () => {
  const forget = withoutDistinctIds(['ä@example.com', 'c', 'unknown'])
  const lists = { distinct_ids: ['ä@example.com', 'b', 'c'], distinct_ids_to_split: ['ä@example.com', 'c'], uuid: 'c' }
  const rest = { distinct_ids: ['b'], distinct_ids_to_split: [], uuid: 'c' }
  expect(forget(detailOf(noted('split', lists), noted('merged', { distinct_ids: ['B', 'c '] })))).toEqual(
    detailOf(noted('split', rest), noted('merged', { distinct_ids: ['B', 'c '] })),
  )
  const erased = detailOf(noted('split', null))
  expect(forget(erased)).toEqual(erased)
  expect(forget({ ...erased, changes: null })).toEqual({ ...erased, changes: null })
})
