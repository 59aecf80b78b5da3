/** Runs of event deletions in SQL: the last ones only, with their counts of each project that had requests. */
import { type Selectable, sql } from 'kysely'
import type {
  DeletionRun,
  DeletionRunCounts,
  DeletionRunReader,
  DeletionRunWriter,
} from '../../../model/persons/deletion-run.ts'
import type { Connection } from '../connection.ts'
import type { DeletionRunCountTable, DeletionRunTable } from '../deletion-tables.ts'

const NOTHING: DeletionRunCounts = { persons: 0, events: 0, sessions: 0, recordings: 0 }

const countsOf = ({ persons, events, sessions, recordings }: Selectable<DeletionRunCountTable>): DeletionRunCounts => ({
  persons,
  events,
  sessions,
  recordings,
})

const toRun = (row: Selectable<DeletionRunTable>, counts: DeletionRunCounts): DeletionRun => ({
  id: row.id,
  startedAt: row.started_at,
  phase: row.phase,
  phaseSince: row.phase_since,
  seenAt: row.seen_at,
  isUnderWay: row.is_under_way === 1,
  finishedAt: row.finished_at,
  bytesFreed: row.bytes_freed,
  counts,
})

export function deletionRunReader({ db }: Connection): DeletionRunReader {
  const countsIn = async (projectId: number, runId: number): Promise<DeletionRunCounts> => {
    const row = await db
      .selectFrom('deletion_run_counts')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('run_id', '=', runId)
      .executeTakeFirst()
    return row ? countsOf(row) : NOTHING
  }
  return {
    async latest(projectId) {
      // Few: those that are nobody's last are removed.
      const rows = await db
        .selectFrom('deletion_runs')
        .selectAll()
        .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', projectId)]))
        .execute()
      const read = async (row: (typeof rows)[number] | undefined) =>
        row ? toRun(row, await countsIn(projectId, row.id)) : null
      // A run that goes on after another has a smaller number than that one.
      const newest = rows.toSorted((a, b) => b.seen_at - a.seen_at || b.id - a.id)[0]
      const finished = rows
        .filter((row) => row.finished_at !== null)
        .toSorted((a, b) => (b.finished_at ?? 0) - (a.finished_at ?? 0) || b.id - a.id)[0]
      return { newest: await read(newest), finished: await read(finished) }
    },
  }
}

export function deletionRunWriter(connection: Connection): DeletionRunWriter {
  const { db } = connection
  const update = (id: number, values: Partial<Omit<Selectable<DeletionRunTable>, 'id'>>) =>
    db.updateTable('deletion_runs').set(values).where('id', '=', id).execute()
  const unfinished = (projectId: number | null) =>
    db
      .selectFrom('deletion_runs')
      .select(['id', 'phase'])
      .where('project_id', projectId === null ? 'is' : '=', projectId)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
  /** A run of all projects is the last of every project, one of a project of that only. */
  async function forgetBefore(id: number): Promise<void> {
    const run = await db.selectFrom('deletion_runs').select('project_id').where('id', '=', id).executeTakeFirst()
    if (!run) return
    const others = db.selectFrom('deletion_runs').select('id').where('id', '!=', id)
    const past = run.project_id === null ? others : others.where('project_id', '=', run.project_id)
    const ids = (await past.execute()).map((row) => row.id)
    if (ids.length === 0) return
    await db.deleteFrom('deletion_run_counts').where('run_id', 'in', ids).execute()
    await db.deleteFrom('deletion_runs').where('id', 'in', ids).execute()
  }
  return {
    ...deletionRunReader(connection),
    async begin(projectId, at) {
      const found = await unfinished(projectId)
      const state = { phase: 'draining', phase_since: at, seen_at: at, is_under_way: 1 } as const
      if (found) {
        await update(found.id, state)
        return found
      }
      const row = { project_id: projectId, started_at: at, ...state }
      const { id } = await db.insertInto('deletion_runs').values(row).returning('id').executeTakeFirstOrThrow()
      return { id, phase: null }
    },
    async enter(id, phase, at) {
      await update(id, { phase, phase_since: at, seen_at: at })
    },
    async see(id, at) {
      await update(id, { seen_at: at })
    },
    async count(id, projectId, counts) {
      const sum = (column: keyof DeletionRunCounts) =>
        sql<number>`${sql.ref(`deletion_run_counts.${column}`)} + ${sql.ref(`excluded.${column}`)}`
      await db
        .insertInto('deletion_run_counts')
        .values({ run_id: id, project_id: projectId, ...counts })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'run_id']).doUpdateSet({
            persons: sum('persons'),
            events: sum('events'),
            sessions: sum('sessions'),
            recordings: sum('recordings'),
          }),
        )
        .execute()
    },
    async leave(id, at) {
      await update(id, { seen_at: at, is_under_way: 0 })
    },
    async finish(id, { at, bytesFreed }) {
      await update(id, { seen_at: at, is_under_way: 0, finished_at: at, bytes_freed: bytesFreed })
      await forgetBefore(id)
    },
  }
}
