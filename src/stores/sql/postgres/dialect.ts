/** What PostgreSQL says in its own way: its side of ../dialect.ts. */
import { randomInt } from 'node:crypto'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldCase } from '../../../lib/text/case-fold.ts'
import type { SqlDialect } from '../dialect.ts'
import { createFold } from './fold-function.ts'
import { LOCKS } from './locks.ts'

/** A transaction that creates or removes persons adds to one of so many counters of its project. */
const COUNTER_SLOTS = 16

const TYPES = { text: sql`text`, integer: sql`bigint`, bigint: sql`bigint`, instant: sql`double precision` }

const email = sql`properties::json -> 'email'`

const folded = (text: Expression<string | null>): RawBuilder<string | null> => sql`hedgerow_fold(${text})`

const lastSeq = sql<number>`(select case when is_called then last_value else 0 end from seq)`

export const postgresDialect: SqlDialect = {
  name: 'PostgreSQL',
  async prepare(db) {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.migration)}, 0)`.execute(db)
    await createFold(db)
  },
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  types: { instant: 'double precision', bigint: 'bigint', bytes: 'bytea' },
  hasEarlierRows: false,
  clustered: '',
  rowId: sql`ctid`,
  hasRowNumbers: false,
  // The text of a UUID, whose last digit is an f at most.
  tie: { by: sql`id`, last: 'g' },
  locksRows: true,
  unindexed: (value) => sql`coalesce(${value}, ${value})`,
  seq: {
    async create(db) {
      await sql`create sequence seq`.execute(db)
    },
    next: (db) => db.selectNoFrom(sql<number>`nextval('seq')`.as('value')),
    last: (db) => db.selectNoFrom(lastSeq.as('value')),
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
      ([name, type], place) => sql`(value ->> ${sql.lit(place)})::${TYPES[type]} as ${sql.ref(name)}`,
    )
    return sql`(select ${sql.join(cells)} from json_array_elements(${list}::json))`
  },
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
