/** What SQLite says in its own way: its side of ../dialect.ts. */
import { sql } from 'kysely'
import { sqliteCatalog } from '../copy/sqlite-catalog.ts'
import type { SqlDialect } from '../dialect.ts'
import { containsFolded, folded } from './folded-text.ts'
import { singleRows } from './single-rows.ts'

const sqliteTexts = (values: string[]) => sql<string>`(select value from json_each(${JSON.stringify(values)}))`

export const sqliteDialect: SqlDialect = {
  name: 'SQLite',
  catalog: sqliteCatalog,
  // The transaction holds the write lock.
  prepare: async () => {},
  identity: (column) => column.primaryKey().autoIncrement(),
  types: { instant: 'integer', bigint: 'integer', bytes: 'blob' },
  hasEarlierRows: true,
  clustered: 'without rowid',
  // One file and one writer: parts would gain nothing, and freed pages are used again at once.
  parts: { ending: () => 'without rowid', create: async () => {}, of: (table) => [table] },
  tune: async () => {},
  rowId: sql`rowid`,
  hasRowNumbers: true,
  // The last column of every index.
  tie: { by: sql`rowid`, last: Number.MAX_SAFE_INTEGER },
  locksRows: false,
  inPeopleTransaction: sql`true`,
  lookUpsAtOnce: 1,
  isAmong: (table, key, where) => {
    const found = sql`select ${sql.join(key)} from ${sql.table(table)} ${where}`
    return key.length === 1 ? sql`${key[0]} in (${found})` : sql`(${sql.join(key)}) in (${found})`
  },
  unindexed: (value) => sql`+${value}`,
  seq: {
    async create(db) {
      await sql`insert into sequences (name, value) values ('seq', 0)`.execute(db)
    },
    next: (db) =>
      db.updateTable('sequences').set({ value: sql`value + 1` }).where('name', '=', 'seq').returning('value'),
    last: (db) => db.selectFrom('sequences').select('value').where('name', '=', 'seq'),
    settled: null,
    raise: (db, to) =>
      db
        .updateTable('sequences')
        .set({ value: to })
        .where('name', '=', 'seq')
        .where('value', '<', to)
        .returning('value'),
  },
  // There is one writer.
  counterSlot: () => 0,
  email: sql`case json_type(properties, '$.email') when 'text' then properties ->> '$.email' when 'null' then null else properties -> '$.email' end`,
  jsonList: (column, orderBy) => sql`json_group_array(${sql.ref(column)} order by ${sql.ref(orderBy)})`,
  texts: sqliteTexts,
  jsonTexts: (list) => sql`json_each(${list})`,
  jsonRows: (list, columns) => {
    const cells = Object.keys(columns).map((name, place) => sql`value ->> ${sql.lit(place)} as ${sql.ref(name)}`)
    return sql`(select ${sql.join(cells)} from json_each(${list}))`
  },
  rows: singleRows,
  changeOfOneKey: sql`case
    when removed = 1 then json_object('removed', json_array(key))
    when once = 1 then json_object('once', json_object(key, json(value)))
    else json_object('set', json_object(key, json(value))) end`,
  mentions: (column, texts) =>
    sql`exists (select 1 from json_tree(${sql.ref(column)}) where atom in ${sqliteTexts(texts)})`,
  bytesOfUuid: (column) => sql`unhex(${sql.ref(column)}, '-')`,
  hexOf: (column) => sql`lower(hex(${sql.ref(column)}))`,
  fold: folded,
  contains: containsFolded,
}
