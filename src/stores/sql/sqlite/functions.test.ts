import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { registerSqliteFunctions } from './functions.ts'

const database = new Database(':memory:')
registerSqliteFunctions(database)
afterAll(() => {
  database.close()
})

it.each<[string, unknown[], unknown]>([
  ['fold(?)', ['ÄB'], 'äb'],
  ['fold(?)', [null], null],
  ['re2_match(?, ?)', ['hedgehog', '^h.g'], 0],
  ['re2_match(?, ?)', ['hedgehog', 'h.g$'], 1],
  ['re2_match(?, ?)', ['hedgehog', 'e.*o'], 1],
  ['re2_match(?, ?)', ['x', '('], null],
  ['re2_match(?, ?)', [null, 'x'], null],
  ['numeric_of(?)', ['1 0'], 10],
  ['numeric_of(?)', ['ten'], null],
  ['date_ms(?)', ['1970-01-02'], 86_400_000],
  ['date_ms(?)', ['1700000000'], 1_700_000_000_000],
  ['date_ms(?)', ['1700000000.5'], 1_700_000_000_500],
  ['date_ms(?)', ['1700000000000'], 1_700_000_000_000],
  ['date_ms(?)', ['42'], null],
  ['date_ms(?)', ['17000000000'], null],
  ['date_ms(?)', [null], null],
  ['semver_cmp(?, ?)', ['1.10.0', '1.9'], 1],
  ['semver_cmp(?, ?)', ['1.0', '1.0.0'], 0],
  ['semver_cmp(?, ?)', ['x', '1.0.0'], null],
])('%s of %j is %j', (call, values, expected) => {
  expect(database.prepare(`select ${call} as value`).get(...values)).toEqual({ value: expected })
})

it('answers with more patterns than it keeps', () => {
  const match = database.prepare('select re2_match(?, ?) as value')
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 250; i++) expect(match.get(`id-${i}`, `^id-${i}$`)).toEqual({ value: 1 })
  }
})

it('asks before each text that it folds whether to go on', () => {
  const other = new Database(':memory:')
  let left = 2
  registerSqliteFunctions(other, () => {
    left -= 1
    if (left < 0) throw new Error('late')
  })
  expect(() => other.prepare("select fold(value) from json_each('[1, 2, 3]')").all()).toThrow('late')
  left = 3
  expect(other.prepare('select fold(value) as text from json_each(\'["A"]\')').all()).toEqual([{ text: 'a' }])
  other.close()
})

it('may be used where only deterministic functions are allowed', () => {
  database.exec('create table words (word text); create index folded on words (fold(word))')
  database.prepare('insert into words values (?)').run('ÄPFEL')
  expect(database.prepare('select word from words where fold(word) = ?').get('äpfel')).toEqual({ word: 'ÄPFEL' })
})
