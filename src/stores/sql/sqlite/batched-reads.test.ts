import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchReads } from './batched-reads.ts'

describe('reads of one turn', () => {
  let database: Database.Database
  beforeEach(() => {
    database = new Database(':memory:')
    database.exec('create table plants (id integer primary key, name text)')
    database.exec("insert into plants values (1, 'rose'), (2, 'hazel')")
  })
  afterEach(() => database.close())

  const name = 'select name from plants where id = ?'
  /** Records of each read whether it was inside a transaction. */
  const open = (inside: boolean[] = []) =>
    batchReads(database, (text, values) => {
      inside.push(database.inTransaction)
      return database.prepare(text).all(values)
    })

  it('run together, each with its own result', async () => {
    const inside: boolean[] = []
    const read = open(inside)
    const asked = [read(name, [2]), read(name, [1]), read(name, [3])]
    expect(inside).toEqual([])
    expect(await Promise.all(asked)).toEqual([[{ name: 'hazel' }], [{ name: 'rose' }], []])
    expect(inside).toEqual([true, true, true])
    expect(database.inTransaction).toBe(false)
  })
  it('see what was written before the turn ended', async () => {
    const asked = open()(name, [1])
    database.exec("update plants set name = 'dog rose' where id = 1")
    expect(await asked).toEqual([{ name: 'dog rose' }])
  })
  it('fail separately', async () => {
    const read = open()
    const asked = [read(name, [1]), read('select nothing from plants', []), read(name, [2])]
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await read(name, [2])).toEqual([{ name: 'hazel' }])
  })
  it('all reject when the database is closed meanwhile', async () => {
    const read = open()
    const asked = [read(name, [1]), read(name, [2])]
    database.close()
    for (const one of asked) await expect(one).rejects.toThrow('not open')
  })
})
