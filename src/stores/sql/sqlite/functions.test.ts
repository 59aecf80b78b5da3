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
  ['fold(?)', [5], null],
])('%s of %j is %j', (call, values, expected) => {
  expect(database.prepare(`select ${call} as value`).get(...values)).toEqual({ value: expected })
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
