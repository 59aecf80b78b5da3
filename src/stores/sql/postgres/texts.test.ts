/** Texts in PostgreSQL: folded, ordered and compared as everywhere else. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { chunks } from '../../../lib/lists/lists.ts'
import { foldCase } from '../../../lib/text/case-fold.ts'
import { migrate } from '../migrate.ts'
import { byText } from '../queries/sorted-page.ts'
import { sqlStores } from '../sql-stores.ts'
import { openPostgres, type PostgresEngine } from './open-postgres.ts'

const isStorable = (code: number) => code > 0 && (code < 0xd800 || code >= 0xe000)

describe.each(engines)('texts in $name', (postgres) => {
  let database: TestDatabase
  let engine: PostgresEngine
  let client: pg.Client
  beforeAll(async () => {
    database = await newDatabase(postgres)
    engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await migrate(engine)
    client = new pg.Client(database.url)
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await engine.close()
    await database.drop()
  })

  const folded = async (texts: string[]): Promise<string[]> => {
    const asked = 'select hedgerow_fold(given) as text from unnest($1::text[]) with ordinality as all_of(given, place)'
    const { rows } = await client.query(`${asked} order by place`, [texts])
    return rows.map(({ text }) => text)
  }

  it('fold every character as we do', async () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => code).filter(isStorable)
    const texts = chunks(all, 64).map((codes) => String.fromCodePoint(...codes))
    expect(await folded(texts)).toEqual(texts.map(foldCase))
  })

  it('fold words as we do', async () => {
    const words = ['ΟΔΟΣ', 'Straße STRASSE', 'ﬁne', 'İstanbul', 'ŉa', 'ΑΣ ΣΑ', 'ǅ', 'ᾳ ᾼ', 'ſoft', '', "it's $fold$"]
    expect(await folded(words)).toEqual(words.map(foldCase))
  })

  it('that are not there fold to none', async () => {
    expect((await client.query('select hedgerow_fold(null) as text')).rows).toEqual([{ text: null }])
  })

  it('are in the order of their bytes, whatever the locale', async () => {
    const names = ['b', 'A', 'a', 'Z', 'ä', '~', '\u{1f994}', '\uffee', '_', ' ']
    await engine.transact(async ({ db }) => {
      await db
        .insertInto('secrets')
        .values(names.map((name) => ({ name, value: '' })))
        .execute()
    })
    const rows = await engine.reader.db.selectFrom('secrets').select('name').orderBy('name').execute()
    expect(rows.map(({ name }) => name)).toEqual(names.sort(byText))
  })

  it('with a NUL are equal to none', async () => {
    const stores = sqlStores({ engine, scans: engine.scans, committed: () => {} })
    await stores.transaction((tx) => tx.jobs.add({ kind: 'a', key: 'b\ufffd', projectId: null, payload: {}, runAt: 0 }))
    expect(await stores.jobs.find('a', 'b\ufffd')).not.toBeNull()
    expect(await stores.jobs.find('a', 'b\0')).toBeNull()
  })
})
