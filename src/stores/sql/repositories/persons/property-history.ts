/**
 * The property history in SQL: one row for each change, however many keys it has. Rows from before step 18 are about
 * one key each; they are read as changes of one key, until the job that rewrites them has been there.
 */
import { type Selectable, sql } from 'kysely'
import { chunks } from '../../../../lib/lists/lists.ts'
import type {
  PersonReader,
  PersonWriter,
  Properties,
  PropertyChange,
  StoredChange,
} from '../../../../model/persons/person.ts'
import { AT_ONCE, arg, type Connection, prepared, preparedInsert } from '../../connection.ts'
import { jsonLists } from '../../queries/json-lists.ts'
import { pageRows } from '../../queries/page-rows.ts'
import type { PropertyHistoryTable } from '../../tables.ts'

type Row = Selectable<PropertyHistoryTable>
type Place = Pick<StoredChange, 'id' | 'at' | 'seq'>
type Content = Pick<PropertyChange, 'set' | 'once' | 'removed'>

/** The change of a row from before step 18. */
function oneKey({ key, value, removed, once }: Row): Partial<Content> {
  if (removed === 1) return { removed: [key] }
  // Not by a literal: the key may be `__proto__`.
  const properties = Object.fromEntries([[key, value === null ? null : JSON.parse(value)]])
  return once === 1 ? { once: properties } : { set: properties }
}

function toChange(row: Row): StoredChange {
  const content = row.changes === null ? oneKey(row) : (JSON.parse(row.changes) as Partial<Content>)
  const { set = {}, once = {}, removed = [] } = content
  const { id, person_id: personId, at, seq, event_uuid: eventUuid } = row
  return { id, personId, set, once, removed, at, seq, eventUuid }
}

const isEmpty = (properties: object): boolean => {
  for (const _ in properties) return false
  return true
}

/** Without what is empty. */
const contentOf = ({ set, once, removed }: Content): { [part in keyof Content]: Content[part] | undefined } => ({
  set: isEmpty(set) ? undefined : set,
  once: isEmpty(once) ? undefined : once,
  removed: removed.length === 0 ? undefined : removed,
})

const hasKeys = ({ set, once, removed }: Content): boolean => removed.length > 0 || !isEmpty(set) || !isEmpty(once)

const without = (properties: Properties, keys: Set<string>): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.has(key)))

const trim = (change: StoredChange, keys: Set<string>): StoredChange => ({
  ...change,
  set: without(change.set, keys),
  once: without(change.once, keys),
  removed: change.removed.filter((key) => !keys.has(key)),
  eventUuid: null,
})

const insertChanges = preparedInsert({
  table: 'property_history',
  columns: {
    project_id: 'integer',
    person_id: 'integer',
    at: 'instant',
    seq: 'bigint',
    event_uuid: 'text',
    changes: 'text',
  },
  always: { key: '', removed: 0, once: 0 },
})

const updateChanges = prepared((db, dialect) =>
  db
    .updateTable('property_history')
    .from(dialect.jsonRows(arg<string>(0), { row: 'integer', event_uuid: 'text', changes: 'text' }).as('given'))
    .set((eb) => ({
      event_uuid: eb.ref('given.event_uuid'),
      changes: eb.ref('given.changes'),
      key: '',
      value: null,
      removed: 0,
      once: 0,
    }))
    .whereRef('property_history.id', '=', 'given.row'),
)

const removeSome = prepared((db) =>
  db
    .deleteFrom('property_history')
    .where(
      'id',
      'in',
      db.selectFrom('property_history').select('id').where('person_id', '=', arg<number>(0)).limit(arg<number>(1)),
    )
    .returning('project_id'),
)

/** In the order of the ids, those that fit a page. */
const readChanges = async (connection: Connection, rows: { id: number }[]): Promise<StoredChange[]> => {
  const ids = rows.map(({ id }) => id)
  return (await pageRows(connection, 'property_history', ids, ['changes', 'value'])).map(toChange)
}

/** Persons that one statement looks at. */
const PERSONS_AT_ONCE = 5_000

export function historyReader(connection: Connection): Pick<PersonReader, 'history' | 'withPast'> {
  const { db } = connection
  return {
    async history(projectId, personId, until, after, limit) {
      const own = db
        .selectFrom('property_history')
        .select(['id', 'at', 'seq'])
        .where('person_id', '=', personId)
        .where('project_id', '=', projectId)
        .where('at', '<=', until)
        .orderBy('at')
        .orderBy('seq')
        .orderBy('id')
        .limit(limit)
      for (let from: Place | null = after; ; ) {
        const rows: Place[] = await (from === null
          ? own
          : own.where(sql<boolean>`(at, seq, id) > (${from.at}, ${from.seq}, ${from.id})`)
        ).execute()
        const changes = await readChanges(connection, rows)
        if (changes.length > 0 || rows.length === 0) return changes
        // All of them were removed in between.
        from = rows.at(-1) ?? null
      }
    },
    async withPast(projectId, before, after) {
      const upTo = after + PERSONS_AT_ONCE
      const last = db.selectFrom('property_history').select((eb) => eb.fn.max('person_id').as('id'))
      const { id } = await last.executeTakeFirstOrThrow()
      const several = db
        .selectFrom('property_history')
        .select('person_id')
        .where('person_id', '>', after)
        .where('person_id', '<=', upTo)
        .where('at', '<', before)
        .groupBy('person_id')
        .having((eb) => eb.fn.countAll(), '>', 1)
      const rows = await db
        .selectFrom('persons')
        .select('id')
        .where('project_id', '=', projectId)
        .where('id', 'in', several)
        .execute()
      return { ids: rows.map((row) => row.id), upTo: upTo < (id ?? 0) ? upTo : null }
    },
  }
}

/** Rows that one transaction rewrites: requests wait for it. */
const REFORMATTED_AT_ONCE = 250

type HistoryWriter = Pick<
  PersonWriter,
  'addHistory' | 'removeHistory' | 'changesAfter' | 'trimChanges' | 'reformatChanges'
>

export function historyWriter(connection: Connection): HistoryWriter {
  const { db, dialect } = connection
  const rewrite = async (changes: StoredChange[]): Promise<void> => {
    const rows = changes.map((change) => [change.id, change.eventUuid, contentOf(change)])
    for (const list of jsonLists(rows)) await updateChanges.run(connection, list)
  }
  const remove = async (changes: StoredChange[]): Promise<void> => {
    for (const part of chunks(changes, AT_ONCE)) {
      const ids = part.map(({ id }) => id)
      await db.deleteFrom('property_history').where('id', 'in', ids).execute()
    }
  }
  return {
    async addHistory(projectId, changes) {
      const rows = changes.filter(hasKeys).map((change) => {
        const { personId, at, seq, eventUuid } = change
        return [projectId, personId, at, seq, eventUuid, JSON.stringify(contentOf(change))]
      })
      await insertChanges.run(connection, rows)
    },
    async removeHistory(personId, limit) {
      return (await removeSome.run(connection, personId, limit)).length
    },
    async changesAfter(personId, after, limit) {
      // By the index of a person's changes, which ends with the id.
      const rows = await db
        .selectFrom('property_history')
        .select('id')
        .where('person_id', '=', personId)
        .$if(after !== null, (query) => query.where(sql<boolean>`(at, id) > (${after?.at}, ${after?.id})`))
        .orderBy('at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return readChanges(connection, rows)
    },
    async trimChanges(trims) {
      const lost = new Map(trims.map(({ id, keys }) => [id, keys]))
      for (let rest = trims; rest.length > 0; ) {
        const read = await readChanges(connection, rest)
        const trimmed = read.map((change) => trim(change, lost.get(change.id) as Set<string>))
        await rewrite(trimmed.filter(hasKeys))
        await remove(trimmed.filter((change) => !hasKeys(change)))
        // Large ones do not all fit at once.
        const last = read.at(-1)
        rest = last ? rest.slice(rest.findIndex(({ id }) => id === last.id) + 1) : []
      }
    },
    async reformatChanges(after) {
      const upTo = after + REFORMATTED_AT_ONCE
      await db
        .updateTable('property_history')
        .set({ changes: dialect.changeOfOneKey, key: '', value: null, removed: 0, once: 0 })
        .where('changes', 'is', null)
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .execute()
      const last = db.selectFrom('property_history').select((eb) => eb.fn.max('id').as('id'))
      const { id } = await last.executeTakeFirstOrThrow()
      return upTo < (id ?? 0) ? upTo : null
    },
  }
}
