/**
 * Filters on properties of events and of their people. Conditions are judged one by one: those on events over the
 * row's own text, those on people beforehand over the projection, so that no person's text has to be carried along.
 * Texts too long for a row are judged a few at a time, for they may be a megabyte each.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { PropertyCondition, PropertyFilter } from '../../../model/person.ts'
import { int } from '../literal.ts'
import { Texts } from '../texts.ts'
import { checkPatterns, conditionSql, holdsOfNothing } from './property-sql.ts'

/** So many long texts are put together at once. */
const LONG_AT_ONCE = 16

/** What each condition says of a text, in the order of the conditions. */
type Judgement = boolean[]

const leavesOf = (filter: PropertyFilter): PropertyCondition[] =>
  'join' in filter ? filter.of.flatMap(leavesOf) : [filter]

/** Judges long texts; those that are not there any more are left out. */
async function judgeLong(
  connection: DuckDBConnection,
  ids: bigint[],
  conditions: PropertyCondition[],
): Promise<Map<bigint, Judgement>> {
  const judged = new Map<bigint, Judgement>()
  const sorted = ids.toSorted((a, b) => Number(a - b))
  for (let start = 0; start < sorted.length; start += LONG_AT_ONCE) {
    const some = sorted.slice(start, start + LONG_AT_ONCE)
    const texts = new Texts()
    const columns = conditions.map((condition) => conditionSql(condition, 'properties', texts))
    // The bounds are pushed down into the scan, the list is not.
    const rows = await texts.rows(
      connection,
      `SELECT id, ${columns.join(', ')} FROM (
        SELECT id, string_agg(text, '' ORDER BY part) AS properties FROM long_texts
        WHERE id BETWEEN ${int(some[0] ?? 0n)} AND ${int(some.at(-1) ?? 0n)} AND id IN (${some.map(int).join(', ')})
        GROUP BY id)`,
    )
    for (const [id, ...judgement] of rows) judged.set(id as bigint, judgement as Judgement)
  }
  return judged
}

async function longPeople(connection: DuckDBConnection, projectId: number): Promise<bigint[]> {
  const sides = ['persons', 'fresh_persons'].map(
    (table) => `SELECT long_id FROM ${table} WHERE project_id = ${int(projectId)} AND long_id IS NOT NULL`,
  )
  const rows = (await connection.runAndReadAll(sides.join(' UNION ALL '))).getRows()
  return rows.map(([id]) => id as bigint)
}

/** A filter that is ready to be written into statements. */
export class PropertyMatcher {
  readonly #filter: PropertyFilter
  readonly #projectId: number
  readonly #ofEvents: PropertyCondition[]
  readonly #ofPeople: PropertyCondition[]
  readonly #longPeople: Map<bigint, Judgement>

  private constructor(filter: PropertyFilter, projectId: number, longPeople: Map<bigint, Judgement>) {
    const leaves = leavesOf(filter)
    this.#filter = filter
    this.#projectId = projectId
    this.#ofEvents = leaves.filter((condition) => condition.type !== 'person')
    this.#ofPeople = leaves.filter((condition) => condition.type === 'person')
    this.#longPeople = longPeople
  }

  static async prepare(connection: DuckDBConnection, projectId: number, filter: PropertyFilter) {
    const leaves = leavesOf(filter)
    await checkPatterns(connection, leaves)
    const ofPeople = leaves.filter((condition) => condition.type === 'person')
    const ids = ofPeople.length === 0 ? [] : await longPeople(connection, projectId)
    return new PropertyMatcher(filter, projectId, await judgeLong(connection, ids, ofPeople))
  }

  get readsEvents(): boolean {
    return this.#ofEvents.length > 0
  }

  /** `people AS (…)`: for each distinct id that somebody has, what the conditions on people say; or nothing. */
  people(texts: Texts): string {
    if (this.#ofPeople.length === 0) return ''
    const project = `project_id = ${int(this.#projectId)}`
    const both = (table: string, columns: string) => {
      const sides = [table, `fresh_${table}`].map((side) => `SELECT ${columns} FROM ${side} WHERE ${project}`)
      return `(${sides.join(' UNION ALL ')})`
    }
    const judged = this.#ofPeople.map((condition, place) => `'c${place}': ${this.#personSql(condition, place, texts)}`)
    const state = `{'gone': deleted, ${judged.join(', ')}} AS state`
    const columns = this.#ofPeople.map((_, place) => `state.c${place} AS c${place}`)
    return `owner AS (
        SELECT distinct_id, arg_max_null(person_id, seq) AS person_id
        FROM ${both('distinct_ids', 'distinct_id, seq, person_id')} GROUP BY distinct_id),
      person AS (
        SELECT person_id, arg_max(state, seq) AS state
        FROM ${both('persons', `person_id, seq, ${state}`)} GROUP BY person_id),
      people AS MATERIALIZED (
        SELECT distinct_id, ${columns.join(', ')} FROM owner JOIN person USING (person_id) WHERE NOT state.gone)`
  }

  /** SQL of a table of events, with `people` beside it where they are asked about. */
  withPeople(table: string): string {
    return this.#ofPeople.length === 0 ? table : `${table} LEFT JOIN people USING (distinct_id)`
  }

  /** SQL of the whole filter over a row whose properties are not long. */
  condition(texts: Texts): string {
    const write = (filter: PropertyFilter): string => {
      if (!('join' in filter)) return this.#leafSql(filter, texts)
      if (filter.of.length === 0) return filter.join === 'AND' ? 'true' : 'false'
      return `(${filter.of.map(write).join(` ${filter.join} `)})`
    }
    return write(this.#filter)
  }

  /** SQL of what the conditions on people say of a row, as columns; or nothing. */
  get personColumns(): string {
    return this.#ofPeople.map((condition, place) => `, ${this.#ownerSql(condition, place)}`).join('')
  }

  /** Which of these events fit, judged by their long texts. `owners`: the personColumns of each. */
  async fitting<Row extends { longId: bigint; owners: boolean[] }>(
    connection: DuckDBConnection,
    rows: Row[],
  ): Promise<Row[]> {
    const ids = rows.map((row) => row.longId)
    const judged = await judgeLong(connection, ids, this.#ofEvents)
    return rows.filter((row) => {
      const judgement = judged.get(row.longId)
      return judgement !== undefined && this.#holds(this.#filter, judgement, row.owners)
    })
  }

  static get atOnce(): number {
    return LONG_AT_ONCE
  }

  #holds(filter: PropertyFilter, ofEvent: Judgement, ofPerson: Judgement): boolean {
    if ('join' in filter) {
      const holds = (item: PropertyFilter) => this.#holds(item, ofEvent, ofPerson)
      return filter.join === 'AND' ? filter.of.every(holds) : filter.of.some(holds)
    }
    const [leaves, judgement] = filter.type === 'person' ? [this.#ofPeople, ofPerson] : [this.#ofEvents, ofEvent]
    return judgement[leaves.indexOf(filter)] === true
  }

  #leafSql(condition: PropertyCondition, texts: Texts): string {
    if (condition.type !== 'person') return conditionSql(condition, 'properties', texts)
    return this.#ownerSql(condition, this.#ofPeople.indexOf(condition))
  }

  /** An event that is nobody's is one of a person without properties. */
  #ownerSql(condition: PropertyCondition, place: number): string {
    return `coalesce(people.c${place}, ${holdsOfNothing(condition)})`
  }

  #personSql(condition: PropertyCondition, place: number, texts: Texts): string {
    const fits = [...this.#longPeople].filter(([, judgement]) => judgement[place]).map(([id]) => int(id))
    const long = fits.length === 0 ? 'false' : `long_id IN (${fits.join(', ')})`
    return `CASE WHEN long_id IS NULL THEN ${conditionSql(condition, 'properties', texts)} ELSE ${long} END`
  }
}
