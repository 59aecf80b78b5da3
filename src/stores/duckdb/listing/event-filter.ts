/**
 * Filters on properties of events and of their people. Each condition is evaluated on its own: those on events over the
 * row's own text, those on people beforehand over the projection, so that no person's properties have to be joined.
 * Texts too long for a row are evaluated separately.
 */
import type { DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { fitName } from '../properties/event-facts.ts'
import {
  checkPatterns,
  filterSql,
  leavesOf,
  matchesMissing,
  matchesSql,
  singleThreaded,
  type Wanted,
} from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'
import { inBatches, rejoinTexts } from './rejoin-texts.ts'

/** The result of each condition, in the order of the conditions. */
type Matches = boolean[]

/** Evaluates the conditions on long texts; texts that no longer exist are left out. */
async function matchLong(
  connection: DuckDBConnection,
  ids: bigint[],
  conditions: PropertyCondition[],
): Promise<Map<bigint, Matches>> {
  const matched = new Map<bigint, Matches>()
  for (const group of await inBatches(connection, ids)) {
    const texts = new Texts()
    const sql = `SELECT id, ${matchesSql(conditions, 'properties', texts)} FROM ${singleThreaded(rejoinTexts(group))}`
    for (const [id, matches] of await texts.rows(connection, sql)) {
      matched.set(id as bigint, [...(matches as DuckDBListValue).items] as Matches)
    }
  }
  return matched
}

async function longPeople(connection: DuckDBConnection, projectId: number): Promise<bigint[]> {
  const sides = ['persons', 'fresh_persons'].map(
    (table) => `SELECT long_id FROM ${table} WHERE project_id = ${int(projectId)} AND long_id IS NOT NULL`,
  )
  const rows = (await connection.runAndReadAll(sides.join(' UNION ALL '))).getRows()
  return rows.map(([id]) => id as bigint)
}

/** A property filter prepared for use in statements. */
export class PropertyMatcher {
  readonly #filter: PropertyFilter
  readonly #projectId: number
  readonly #ofEvents: PropertyCondition[]
  readonly #ofPeople: PropertyCondition[]
  readonly #longPeople: Map<bigint, Matches>

  private constructor(filter: PropertyFilter, projectId: number, longPeople: Map<bigint, Matches>) {
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
    return new PropertyMatcher(filter, projectId, await matchLong(connection, ids, ofPeople))
  }

  /** Whether the properties of events have to be read. */
  get readsEvents(): boolean {
    return this.#ofEvents.length > 0
  }

  get readsPeople(): boolean {
    return this.#ofPeople.length > 0
  }

  /** SQL that defines `people`: for each distinct id with a person, the results of the conditions on people. */
  people(texts: Texts): string {
    const project = `project_id = ${int(this.#projectId)}`
    const matches = matchesSql(this.#ofPeople, 'properties', texts)
    const both = (table: string, columns: string) =>
      [table, `fresh_${table}`].map((side) => singleThreaded(`SELECT ${columns} FROM ${side} WHERE ${project}`))
    const owners = both('distinct_ids', 'distinct_id, seq, person_id').join(' UNION ALL FROM ')
    const persons = both('persons', `person_id, seq, deleted, long_id, ${matches} AS fits`).join(' UNION ALL FROM ')
    return `owner AS (
        SELECT distinct_id, arg_max_null(person_id, seq) AS person_id FROM (FROM ${owners}) GROUP BY distinct_id),
      person AS (
        SELECT person_id, arg_max({'gone': deleted, 'fits': ${this.#personSql()}}, seq) AS state
        FROM (FROM ${persons}) GROUP BY person_id),
      people AS MATERIALIZED (
        SELECT distinct_id, state.fits AS owner_fits FROM owner JOIN person USING (person_id) WHERE NOT state.gone)`
  }

  /** What has to be read of the properties of events. */
  get wanted(): Wanted {
    return { conditions: this.#ofEvents }
  }

  /** SQL of the results of the conditions on people, for a row whose `owner_fits` is NULL when it has no person. */
  get ownerMatches(): string {
    return `coalesce(owner_fits, [${this.#ofPeople.map(matchesMissing).join(', ')}])`
  }

  /**
   * SQL of the whole filter over a row with what is wanted of the event, and `owner`, the list of results of its owner.
   */
  get condition(): string {
    return filterSql(this.#filter, (leaf) => this.#leafSql(leaf))
  }

  /** Which of these events match, according to their long texts. */
  async fitting<Row extends { longId: bigint; owner: Matches }>(
    connection: DuckDBConnection,
    rows: Row[],
  ): Promise<Row[]> {
    const ids = rows.map((row) => row.longId)
    const matched = await matchLong(connection, ids, this.#ofEvents)
    return rows.filter((row) => {
      const matches = matched.get(row.longId)
      return matches !== undefined && this.#holds(this.#filter, matches, row.owner)
    })
  }

  #holds(filter: PropertyFilter, ofEvent: Matches, ofOwner: Matches): boolean {
    if ('join' in filter) {
      const holds = (item: PropertyFilter) => this.#holds(item, ofEvent, ofOwner)
      return filter.join === 'AND' ? filter.of.every(holds) : filter.of.some(holds)
    }
    const [leaves, matches] = filter.type === 'person' ? [this.#ofPeople, ofOwner] : [this.#ofEvents, ofEvent]
    return matches[leaves.indexOf(filter)] === true
  }

  #leafSql(condition: PropertyCondition): string {
    if (condition.type === 'person') return `owner[${this.#ofPeople.indexOf(condition) + 1}]`
    return fitName(this.#ofEvents.indexOf(condition))
  }

  #personSql(): string {
    const long = this.#ofPeople.map((_, place) => {
      const fits = [...this.#longPeople].filter(([, matches]) => matches[place]).map(([id]) => int(id))
      return fits.length === 0 ? 'false' : `long_id IN (${fits.join(', ')})`
    })
    return `CASE WHEN long_id IS NULL THEN fits ELSE [${long.join(', ')}] END`
  }
}
