/** Whether what was acknowledged is there, once. */
import { ask, type ClickhouseServers } from '../support/clickhouse/server.ts'
import type { Engines } from '../support/servers/engines.ts'
import type { Fleet } from './fleet.ts'
import type { Acknowledged } from './load.ts'

const API = '/api/environments/1'

export interface Count {
  acknowledged: number
  lost: number
  doubled: number
}

async function rowsOf(clickhouse: ClickhouseServers, sql: string): Promise<string[][]> {
  const [node] = clickhouse.nodes
  if (!node) throw new Error('There is no ClickHouse.')
  const text = await ask(node, clickhouse, sql)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))
}

/** Events of people who were deleted are not expected; the others are. */
export async function countEvents(
  { clickhouse, database }: Engines,
  { events, deleted }: Acknowledged,
): Promise<Count & { notErased: number }> {
  const rows = await rowsOf(
    clickhouse,
    `SELECT lower(hex(uuid)), any(distinct_id), count() FROM ${database}.events WHERE project_id = 1 GROUP BY uuid`,
  )
  const stored = new Map(
    rows.map(([uuid = '', distinctId = '', count]) => [uuid, { distinctId, count: Number(count) }]),
  )
  const gone = new Set(deleted)
  const missing = events.filter((uuid) => !stored.has(uuid.replaceAll('-', '')))
  const left = [...stored.values()].filter(({ distinctId }) => gone.has(distinctId))
  return {
    acknowledged: events.length,
    // Each of them had one event, which is erased.
    lost: missing.length - (gone.size - left.length),
    doubled: [...stored.values()].filter(({ count }) => count > 1).length,
    notErased: left.length,
  }
}

async function answer(fleet: Fleet, path: string): Promise<string> {
  const { status, text } = await fleet.ask('checks', 'GET', `${API}${path}`)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return text
}

async function personOf(fleet: Fleet, distinctId: string) {
  const { results } = JSON.parse(await answer(fleet, `/persons/?distinct_id=${distinctId}`))
  return results[0] as { id: number; properties: Record<string, unknown> } | undefined
}

export async function countPeople(fleet: Fleet, { patched, split, deleted }: Acknowledged): Promise<Count> {
  const ids = [...new Set(patched.map(({ distinctId }) => distinctId))]
  const people = new Map(await Promise.all(ids.map(async (id) => [id, await personOf(fleet, id)] as const)))
  let lost = patched.filter(({ distinctId, key }) => !people.get(distinctId)?.properties[key]).length
  for (const { main, other } of split) {
    const [one, two] = [await personOf(fleet, main), await personOf(fleet, other)]
    if (!one || !two || one.id === two.id) lost += 1
  }
  for (const distinctId of deleted) if (await personOf(fleet, distinctId)) lost += 1
  return { acknowledged: patched.length + split.length + deleted.length, lost, doubled: 0 }
}

const BLOBS_AT_ONCE = 20

/** The instants of a recording's clicks. */
async function clicksOf(fleet: Fleet, session: string): Promise<number[]> {
  const path = `/session_recordings/${session}/snapshots/`
  const { sources } = JSON.parse(await answer(fleet, path)) as { sources: unknown[] }
  const clicks: number[] = []
  for (let start = 0; start < sources.length; start += BLOBS_AT_ONCE) {
    const end = Math.min(start + BLOBS_AT_ONCE, sources.length) - 1
    const text = await answer(fleet, `${path}?source=blob_v2&start_blob_key=${start}&end_blob_key=${end}`)
    for (const line of text.split('\n')) {
      const [, { timestamp }] = JSON.parse(line) as [window: string, event: { timestamp: number }]
      clicks.push(timestamp)
    }
  }
  return clicks
}

export async function countSnapshots(fleet: Fleet, { snapshots }: Acknowledged): Promise<Count> {
  const count: Count = { acknowledged: snapshots.length, lost: 0, doubled: 0 }
  for (const session of new Set(snapshots.map((snapshot) => snapshot.session))) {
    const stored = new Map<number, number>()
    for (const at of await clicksOf(fleet, session)) stored.set(at, (stored.get(at) ?? 0) + 1)
    const sent = snapshots.filter((snapshot) => snapshot.session === session).map(({ at }) => at)
    count.lost += sent.filter((at) => !stored.has(at)).length
    count.doubled += [...stored.values()].filter((times) => times > 1).length
  }
  return count
}
