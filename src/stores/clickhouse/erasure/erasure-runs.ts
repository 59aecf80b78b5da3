/**
 * Runs of erasures. The engine has no transactions, so what a run is about to remove is stored with its counts before it
 * begins. One that was cut off is finished by the next, which counts nothing of it again.
 */
import { randomBytes } from 'node:crypto'
import type { Servers } from '../server/client.ts'
import { int, isOneOf } from '../values/literal.ts'
import { RowWriter } from '../values/row-binary.ts'

/** What one run removes for one request. */
export interface ErasedPart {
  /** Of the request. */
  id: number
  projectId: number
  events: number
  sessions: number
  /** Up to which `seq`, by the number of the distinct id. */
  upTo: Map<bigint, bigint>
}

interface Run {
  run: bigint
  parts: ErasedPart[]
}

const RUN_BYTES = 8
const COLUMNS = ['run', 'id', 'project_id', 'events', 'sessions', 'done', 'id_hashes', 'up_to'] as const

/** All rows of a run are on one node, in one block: it has all of them or none. */
async function write(servers: Servers, { run, parts }: Run, isDone: boolean): Promise<void> {
  const out = new RowWriter()
  for (const { id, projectId, events, sessions, upTo } of parts) {
    // Of a run that is done nobody's number is kept.
    const kept = isDone ? [] : [...upTo]
    out.uint64(run)
    out.int64(BigInt(id))
    out.uint32(projectId)
    out.int64(BigInt(events))
    out.int64(BigInt(sessions))
    out.uint8(Number(isDone))
    out.list(kept, ([hash]) => out.int64(hash))
    out.list(kept, ([, seq]) => out.int64(seq))
  }
  await servers.insert('erasures', COLUMNS, out.bytes())
}

export async function beginRun(servers: Servers, parts: ErasedPart[]): Promise<Run> {
  const run = { run: randomBytes(RUN_BYTES).readBigUInt64LE(), parts }
  await write(servers, run, false)
  return run
}

export const endRun = (servers: Servers, run: Run): Promise<void> => write(servers, run, true)

type Row = [run: string, id: string, projectId: number, events: string, sessions: string, ids: string[], upTo: string[]]

/** Runs that were begun and not ended. */
export async function openRuns(servers: Servers): Promise<Run[]> {
  const rows = await servers.rows(`SELECT run, id, project_id, events, sessions, id_hashes, up_to FROM erasures
    WHERE done = 0 AND run GLOBAL NOT IN (SELECT run FROM erasures WHERE done = 1)`)
  const runs = new Map<string, Run>()
  for (const [run, id, projectId, events, sessions, ids, upTo] of rows as Row[]) {
    const found = runs.get(run) ?? { run: BigInt(run), parts: [] }
    runs.set(run, found)
    found.parts.push({
      id: Number(id),
      projectId,
      events: Number(events),
      sessions: Number(sessions),
      upTo: new Map(ids.map((hash, place) => [BigInt(hash), BigInt(upTo[place] as string)])),
    })
  }
  return [...runs.values()]
}

/** What was removed for these requests over all runs. */
export async function countsOf(servers: Servers, ids: number[]): Promise<Map<number, [number, number]>> {
  const rows = await servers.rows(`SELECT id, sum(run_events), sum(run_sessions) FROM (
      SELECT id, run, project_id, max(events) AS run_events, max(sessions) AS run_sessions FROM erasures
      WHERE ${isOneOf('id', [...new Set(ids)], int)} GROUP BY id, run, project_id)
    GROUP BY id`)
  return new Map(rows.map(([id, events, sessions]) => [Number(id), [Number(events), Number(sessions)]]))
}
