import { expect, it } from 'vitest'
import { isDiskFull } from '../../../../lib/disk-full.ts'
import { isStoreAway } from '../../../../lib/errors.ts'
import { translated, wordsOf } from './failures.ts'

const failure = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })

it.each([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08P01',
  '28P01',
  '3D000',
  '25P03',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
])('%s: the server is away', (code) => {
  expect(translated(failure(code))).toMatchObject({ kind: 'unavailable', reason: 'sql_away', retryAfterSeconds: 5 })
  expect(isStoreAway(translated(failure(code)))).toBe(true)
})

it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
  '%s: the server is away',
  (words) => expect(translated(new Error(words))).toMatchObject({ reason: 'sql_away' }),
)

it.each(['57014', '55P03', '53300'])('%s: the server is busy', (code) => {
  expect(translated(failure(code))).toMatchObject({ kind: 'unavailable', reason: 'sql_busy', retryAfterSeconds: 1 })
  expect(isStoreAway(translated(failure(code)))).toBe(false)
})

it('a full disk there is one as any other', () => {
  const full = failure('53100', 'could not extend file')
  expect(translated(full)).toBe(full)
  expect(isDiskFull(full)).toBe(true)
})

it.each(['40001', '23505', '42601', '22P02'])('%s is left to whoever knows about it', (code) => {
  const error = failure(code)
  expect(translated(error)).toBe(error)
})

it('says what went wrong at each address', () => {
  const both = new AggregateError([new Error('connect ::1'), new Error('connect\n127.0.0.1')])
  expect(wordsOf(both)).toBe('connect ::1; connect 127.0.0.1')
})
