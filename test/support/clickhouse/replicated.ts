/** Two shards of ClickHouse with two replicas each, for tests that kill some of them, and what is on each. */
import type { OutboxBatch } from '../../../src/model/events/outbox.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../../src/stores/contract/batch-builders.ts'
import { ask, type ClickhouseNode, type ClickhouseServers, clickhouseUrl, startClickhouse } from './server.ts'

/** Why the tests on replicas are left out, or null: ZooKeeper is there for the soak only. */
export const noReplicas = process.env.REPLICAS === '1' ? null : 'only in npm run soak -- --replicas'

export interface Replicated {
  servers: ClickhouseServers
  database: string
  /** By shard. */
  shards: [ClickhouseNode, ClickhouseNode][]
  /** Which asks this node first. */
  url(first?: number): string
  /** The answers of all nodes. */
  ask(sql: string): Promise<string[]>
  /** On each node: how many different rows a table has, and which. */
  rows(table: string): Promise<string[]>
}

const DIFFERENT = {
  events: 'seq, place, uuid',
  moments: 'seq, place, uuid',
  persons: 'project_id, person_id, seq',
  distinct_ids: 'project_id, id_hash, seq',
} as const

export async function startReplicated(): Promise<Replicated> {
  const servers = await startClickhouse({ shards: 2, replicas: 2 })
  const database = await servers.createDatabase()
  const [a, b, c, d] = servers.nodes as [ClickhouseNode, ClickhouseNode, ClickhouseNode, ClickhouseNode]
  const asked = (sql: string) => Promise.all(servers.nodes.map((node) => ask(node, servers, sql, { database })))
  return {
    servers,
    database,
    shards: [
      [a, b],
      [c, d],
    ],
    url(first = 0) {
      const nodes = [...servers.nodes.slice(first), ...servers.nodes.slice(0, first)]
      return clickhouseUrl({ ...servers, nodes }, database)
    },
    ask: async (sql) => (await asked(sql)).map((answer) => answer.trim()),
    async rows(table) {
      const key = DIFFERENT[table as keyof typeof DIFFERENT]
      const sql = `SELECT uniqExact(${key}), groupBitXor(hash) FROM (SELECT ${key}, cityHash64(${key}) AS hash
        FROM ${table}_local GROUP BY ${key})`
      return (await asked(sql)).map((answer) => answer.trim())
    },
  }
}

const DAY = 86_400_000

/** What there should be, computed without any engine: events and people of one project. */
export class PlainProject {
  readonly projectId: number
  readonly events: { id: string; day: number }[] = []
  readonly #owners = new Map<string, number>()
  #seq = 0
  #persons = 0

  constructor(projectId: number) {
    this.projectId = projectId
  }

  get seq(): number {
    return this.#seq
  }

  /** Events of many ids and days; some ids get another owner. */
  batch(size: number): OutboxBatch {
    const { projectId } = this
    const seq = ++this.#seq
    const ids = Array.from({ length: size }, (_, i) => `id-${(seq * 131 + i * 17) % 997}`)
    const given = [...new Set(ids.filter((_, i) => i % 5 === 0))]
    const personId = ++this.#persons
    for (const id of given) this.#owners.set(id, personId)
    const events = ids.map((distinctId, i) => {
      const day = (seq + i) % 5
      this.events.push({ id: distinctId, day })
      const timestamp = NOON - day * DAY
      return makeEvent(projectId, { distinctId, timestamp, personId: this.#owners.get(distinctId) ?? null })
    })
    const distinctIds = given.map((distinctId) => ({ projectId, distinctId, personId }))
    return makeBatch(seq, { events, persons: [makePerson(projectId, { personId })], distinctIds })
  }

  /** How many different ones did events on the last five days, each by itself. */
  actorsByDay(): number[] {
    return [4, 3, 2, 1, 0].map(
      (day) =>
        new Set(this.events.filter((event) => event.day === day).map(({ id }) => this.#owners.get(id) ?? id)).size,
    )
  }
}

/** The edges of those days. */
export const DAYS = Array.from({ length: 6 }, (_, i) => NOON - (4 - i) * DAY - DAY / 2)
