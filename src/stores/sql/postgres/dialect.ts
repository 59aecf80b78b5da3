/** What PostgreSQL says in its own way: its side of ../dialect.ts. */
import { randomInt } from 'node:crypto'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldCase } from '../../../lib/text/case-fold.ts'
import { postgresCatalog } from '../copy/postgres-catalog.ts'
import type { SqlDialect } from '../dialect.ts'
import { createFold } from './fold-function.ts'
import { IN_TRANSACTION, LAST_SEQ, LOCK_MIGRATION, SETTLED_SEQ } from './locks.ts'
import { CELL_TYPES, rowLists } from './row-lists.ts'
import { hashParts, tune } from './storage.ts'

/** A transaction that creates or removes persons adds to one of so many counters of its project. */
const COUNTER_SLOTS = 16

const email = sql`properties::json -> 'email'`

const folded = (text: Expression<string | null>): RawBuilder<string | null> => sql`hedgerow_fold(${text})`

const lastSeq = sql.raw<number>(LAST_SEQ)

export const postgresDialect: SqlDialect = {
  name: 'PostgreSQL',
  catalog: postgresCatalog,
  async prepare(db) {
    await sql.raw(LOCK_MIGRATION).execute(db)
    await createFold(db)
  },
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  types: { instant: 'double precision', bigint: 'bigint', bytes: 'bytea' },
  hasEarlierRows: false,
  clustered: '',
  parts: hashParts,
  tune,
  rowId: sql`ctid`,
  hasRowNumbers: false,
  // The text of a UUID, whose last digit is an f at most.
  tie: { by: sql`id`, last: 'g' },
  locksRows: true,
  inPeopleTransaction: sql.raw(IN_TRANSACTION),
  lookUpsAtOnce: 100,
  // By their places: for a list of keys the planner reads all of a large table.
  isAmong: (table, _, where) => sql`ctid = any(array(select ctid from ${sql.table(table)} ${where}))`,
  unindexed: (value) => sql`coalesce(${value}, ${value})`,
  seq: {
    async create(db) {
      await sql`create sequence seq`.execute(db)
    },
    next: (db) => db.selectNoFrom(sql<number>`nextval('seq')`.as('value')),
    last: (db) => db.selectNoFrom(lastSeq.as('value')),
    settled: (db) => db.selectNoFrom(sql.raw<number>(SETTLED_SEQ).as('value')),
    raise: (db, to) => db.selectNoFrom(sql`setval('seq', ${to})`.as('value')).where(sql<SqlBool>`${lastSeq} < ${to}`),
  },
  counterSlot: () => randomInt(COUNTER_SLOTS),
  email: sql`(case json_typeof(${email}) when 'string' then properties::json ->> 'email' when 'null' then null else (${email})::text end)`,
  jsonList: (column, orderBy) =>
    sql`coalesce(json_agg(${sql.ref(column)} order by ${sql.ref(orderBy)}), '[]'::json)::text`,
  texts: (values) => sql`(select unnest(${values}::text[]))`,
  jsonTexts: (list) => sql`(select value from json_array_elements_text(${list}::json))`,
  jsonRows: (list, columns) => {
    const cells = Object.entries(columns).map(
      ([name, type], place) => sql`(value ->> ${sql.lit(place)})::${CELL_TYPES[type]} as ${sql.ref(name)}`,
    )
    return sql`(select ${sql.join(cells)} from json_array_elements(${list}::json))`
  },
  rows: rowLists,
  changeOfOneKey: sql`case
    when removed = 1 then json_build_object('removed', json_build_array(key))
    when once = 1 then json_build_object('once', json_build_object(key, value::json))
    else json_build_object('set', json_build_object(key, value::json)) end`,
  mentions: (column, texts) =>
    sql`exists (select 1 from jsonb_path_query(${sql.ref(column)}::jsonb, 'strict $.**') as part
      where jsonb_typeof(part) = 'string' and part #>> '{}' = any(${texts}::text[]))`,
  bytesOfUuid: (column) => sql`decode(replace(${sql.ref(column)}, '-', ''), 'hex')`,
  hexOf: (column) => sql`encode(${sql.ref(column)}, 'hex')`,
  fold: folded,
  contains: (text, part) => sql`strpos(${folded(text)}, ${foldCase(part)}) > 0`,
}
