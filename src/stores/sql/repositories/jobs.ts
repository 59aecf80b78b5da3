/** Jobs in SQL. A claim is one statement on the due rows of its kinds; a lease is two columns of the row. */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Job, JobReader, JobWriter, ParkedJob } from '../../../model/job.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { JobTable, Tables } from '../tables.ts'

const toJob = (row: Selectable<JobTable>): Job => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  projectId: row.project_id,
  payload: JSON.parse(row.payload),
  runAt: row.run_at,
  attempts: row.attempts,
  error: row.error,
})

const withParking = (row: Selectable<JobTable>): Job | ParkedJob =>
  row.parked_at === null ? toJob(row) : { ...toJob(row), parkedAt: row.parked_at }

const unleased = (eb: ExpressionBuilder<Tables, 'jobs'>, now: number): Expression<SqlBool> =>
  eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)])

export function jobReader({ db }: Connection): JobReader {
  return {
    async find(kind, key) {
      const row = await db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', kind)
        .where('key', '=', key)
        .executeTakeFirst()
      return row ? withParking(row) : null
    },
    async dueKinds(kinds, now) {
      const due: string[] = []
      // One index look-up each; a list of kinds would count all that is due.
      for (const kind of kinds) {
        const row = await db
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', kind)
          .where('parked_at', 'is', null)
          .where('run_at', '<=', now)
          .where((eb) => unleased(eb, now))
          .limit(1)
          .executeTakeFirst()
        if (row) due.push(kind)
      }
      return due
    },
    async parked({ limit, offset }) {
      const query = db.selectFrom('jobs').where('parked_at', 'is not', null)
      const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      const rows = await query
        .selectAll()
        .orderBy('parked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return { count, items: rows.map((row) => ({ ...toJob(row), parkedAt: row.parked_at as number })) }
    },
    async backlog(now) {
      const due = await db
        .selectFrom('jobs')
        .select((eb) => [eb.fn.countAll<number>().as('due'), eb.fn.min<number | null>('run_at').as('oldestAt')])
        .where('parked_at', 'is', null)
        .where('run_at', '<=', now)
        .executeTakeFirstOrThrow()
      const { parked } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('parked'))
        .where('parked_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return { ...due, parked }
    },
    async ticks() {
      const rows = await db.selectFrom('ticks').select(['name', 'last_at']).orderBy('name').execute()
      return new Map(rows.map(({ name, last_at }) => [name, last_at]))
    },
  }
}

const FREE = { lease_owner: null, lease_until: null }

type Held = Pick<JobWriter, 'extend' | 'complete' | 'retry' | 'park' | 'release'>

const removeHeld = prepared((db) =>
  db.deleteFrom('jobs').where('id', '=', arg<number>(0)).where('lease_owner', '=', arg<string>(1)).returning('id'),
)

const addNew = prepared((db) =>
  db
    .insertInto('jobs')
    .values({
      kind: arg<string>(0),
      key: arg<string>(1),
      project_id: arg<number | null>(2),
      payload: arg<string>(3),
      run_at: arg<number>(4),
      attempts: 0,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .returning('id'),
)

/** What only the owner of the lease may do. */
function held(connection: Connection): Held {
  const { db } = connection
  const change = async (id: number, owner: string, values: Partial<Selectable<JobTable>>): Promise<boolean> => {
    const query = db.updateTable('jobs').set(values).where('id', '=', id).where('lease_owner', '=', owner)
    return (await query.executeTakeFirst()).numUpdatedRows > 0n
  }
  return {
    extend: (id, owner, until) => change(id, owner, { lease_until: until }),
    async complete(id, owner) {
      return (await removeHeld.run(connection, id, owner)).length > 0
    },
    retry: (id, owner, { runAt, error }) => change(id, owner, { ...FREE, run_at: runAt, error }),
    park: (id, owner, { now, error }) => change(id, owner, { ...FREE, parked_at: now, error }),
    async release(id, owner) {
      const query = db
        .updateTable('jobs')
        .set((eb) => ({ ...FREE, attempts: eb('attempts', '-', 1) }))
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },
  }
}

export function jobWriter(connection: Connection): JobWriter {
  const { db, dialect } = connection
  return {
    ...jobReader(connection),
    ...held(connection),
    async add({ kind, key, projectId, payload, runAt }) {
      return (await addNew.run(connection, kind, key, projectId, JSON.stringify(payload), runAt)).length > 0
    },
    async claim({ kinds, now, owner, leaseMs, limit }) {
      if (kinds.length === 0) return []
      const rows = await db
        .updateTable('jobs')
        .set((eb) => ({ lease_owner: owner, lease_until: now + leaseMs, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('jobs')
            .select('id')
            .where('kind', 'in', kinds)
            .where('parked_at', 'is', null)
            .where('run_at', '<=', now)
            .where((inner) => unleased(inner, now))
            .orderBy('run_at')
            .orderBy('id')
            .limit(limit)
            .$if(dialect.locksRows, (query) => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .execute()
      return rows.map(toJob).sort((a, b) => a.runAt - b.runAt || a.id - b.id)
    },
    async unpark(id, now) {
      const query = db
        .updateTable('jobs')
        .set({ parked_at: null, attempts: 0, run_at: now })
        .where('id', '=', id)
        .where('parked_at', 'is not', null)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },
    async advanceTick(name, tick, latest) {
      const query = db
        .insertInto('ticks')
        .values({ name, last_at: tick })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ last_at: tick })
            .where((eb) => eb.or([eb('ticks.last_at', '<', tick), eb('ticks.last_at', '>', latest)])),
        )
      return ((await query.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    async moveBack(now, by) {
      for (const column of ['run_at', 'lease_until'] as const) {
        const moved = sql<number>`case when ${sql.ref(column)} - ${by} > ${now} then ${sql.ref(column)} - ${by} else ${now} end`
        await db
          .updateTable('jobs')
          .set({ [column]: moved })
          .where(column, '>', now)
          .execute()
      }
    },
    async supersede(kind, runAt, now) {
      await db
        .deleteFrom('jobs')
        .where('kind', '=', kind)
        .where('run_at', '<', runAt)
        .where((eb) => unleased(eb, now))
        .execute()
    },
  }
}
