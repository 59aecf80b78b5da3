import { describe, expect, it } from 'vitest'
import { changeName, changesInWords, isErased, sentenceOf, valueInWords, whoOf } from './sentences.ts'

const JANE = { first_name: 'Jane', email: 'jane@example.com' }
const SERVER = { first_name: 'System', email: null, is_system: true }

const said = (
  scope: string,
  activity: string,
  name: string | null = null,
  user: object = JANE,
  trigger: object | null = null,
) => {
  const detail = { name, changes: null, trigger }
  const entry = {
    user: user as typeof JANE,
    scope,
    activity,
    item_id: '37',
    detail,
    created_at: '2026-05-21T09:30:00Z',
  }
  const { who, did, what } = sentenceOf(entry)
  return `${who} ${did} ${what}`
}

describe('an entry', () => {
  it.each([
    ['Insight', 'created', 'Visits', 'Jane created the insight Visits'],
    ['Subscription', 'updated', 'Weekly', 'Jane changed the report Weekly'],
    ['Dashboard', 'deleted', 'Home', 'Jane deleted the dashboard Home'],
    ['Person', 'updated', null, 'Jane changed properties of the person 37'],
    ['Person', 'split_person', 'a-b', 'Jane split the person a-b'],
    ['Replay', 'sharing enabled', 's1', 'Jane shared the recording s1'],
    ['Replay', 'bulk_deleted', '12 session recordings', 'Jane deleted 12 session recordings'],
    ['PersonalAPIKey', 'rolled', 'Nightly', 'Jane rolled the API key Nightly'],
    ['Person', 'property_undone', null, 'Jane property undone: person 37'],
    ['Widget', 'created', 'W', 'Jane created the Widget W'],
  ])('%s %s', (scope, activity, name, sentence) => expect(said(scope, activity, name)).toBe(sentence))

  it.each([
    ['updated', 'Jane undid a change of the person 37'],
    ['split_person', 'Jane undid a merge into the person 37'],
    ['people_merged_into', 'Jane undid a split of the person 37'],
  ])('that undid another: %s', (activity, sentence) =>
    expect(said('Person', activity, null, JANE, { job_type: 'undo' })).toBe(sentence),
  )
  it('by the server itself', () => {
    expect(said('Deletion', 'completed', '2 requests: 4 events, 1 sessions', SERVER)).toBe(
      'The server carried out 2 requests: 4 events, 1 sessions',
    )
    expect(said('Project', 'restored', 'the backup of 2026-05-01', SERVER)).toBe(
      'The server restored the backup of 2026-05-01',
    )
  })
  it('names who has no first name by the address, and who is gone as such', () => {
    expect(whoOf({ ...JANE, first_name: '' })).toBe('jane@example.com')
    expect(whoOf({ first_name: '', email: null })).toBe('Somebody who is no longer here')
  })
})

describe('a change', () => {
  const change = { action: 'changed', field: 'properties', key: 'plan', before: 'free', after: 'paid' }
  it('is named by what was changed', () => {
    expect(changeName(change)).toBe('plan')
    expect(changeName({ ...change, field: 'target_value', key: undefined } as never)).toBe('target value')
    expect(changeName({ ...change, field: 'sessionRecordingQuotaBytes', key: undefined } as never)).toBe(
      'session recording quota bytes',
    )
    expect(changeName({ action: 'split', field: null, before: null, after: {} })).toBe('distinct ids')
  })
  it('is told in a few words', () => {
    const named = (key: string) => ({ ...change, key })
    expect(changesInWords(null)).toBe('')
    expect(changesInWords([change])).toBe('plan: free → paid')
    expect(changesInWords([{ ...change, before: null }])).toBe('plan: nothing → paid')
    expect(changesInWords([{ ...change, after: { a: 1 } }])).toBe('plan')
    expect(changesInWords([named('a'), named('b'), named('c')])).toBe('a, b, c')
    expect(changesInWords(['a', 'b', 'c', 'd'].map(named))).toBe('a, b and 2 more')
  })
  it('of somebody erased has no values', () => {
    const { key: _, ...rest } = change
    expect(isErased({ ...rest, before: null, after: null })).toBe(true)
    expect(isErased({ ...change, before: null, after: null })).toBe(false)
  })
  it('shows values as the API has them, and cuts long ones', () => {
    expect(valueInWords('free')).toBe('free')
    expect(valueInWords(null)).toBe('null')
    expect(valueInWords({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(valueInWords('x'.repeat(20_005))).toMatch(/x… \(5 characters more\)$/)
  })
})
