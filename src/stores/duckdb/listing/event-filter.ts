/**
 * Filters on properties of events and of their people. Each condition is evaluated on its own: those on events over the
 * row's own text, those on people beforehand over the projection, so that no person's properties have to be joined.
 * Texts too long for a row are evaluated separately.
 */
import type { DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { filterSql, leavesOf, matchesMissing } from '../../property-filter.ts'
import { current, OWNERS } from '../people/current-people.ts'
import { peopleFacts, type ReadLong } from '../people/people-facts.ts'
import { fitName } from '../properties/event-facts.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import { matchesSql, singleThreaded, type Wanted } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import type { WriteSql } from './latest-properties.ts'
import { createLongFacts } from './long-facts.ts'
import { inBatches, rejoinTexts } from './rejoin-texts.ts'

const isOfPerson = ({ type }: PropertyCondition): boolean => type === 'person'

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

/** Those of people with long properties, with `id` and `facts`. */
const LONG_PEOPLE = 'temp.long_people'

/** A property filter prepared for use in statements. */
export class PropertyMatcher {
  readonly #filter: PropertyFilter
  readonly #projectId: number
  readonly #ofEvents: PropertyCondition[]
  readonly #ofPeople: PropertyCondition[]
  /** SQL of the results of the conditions on people, by person. */
  readonly #people: WriteSql
  readonly #hasLongPeople: boolean

  private constructor(filter: PropertyFilter, projectId: number, people: WriteSql, hasLongPeople: boolean) {
    const leaves = leavesOf(filter)
    this.#filter = filter
    this.#projectId = projectId
    this.#ofEvents = leaves.filter((condition) => condition.type !== 'person')
    this.#ofPeople = leaves.filter(isOfPerson)
    this.#people = people
    this.#hasLongPeople = hasLongPeople
  }

  /** In the snapshot of the statements, which must have these columns. The filter has no broken pattern. */
  static async prepare(
    connection: DuckDBConnection,
    projectId: number,
    filter: PropertyFilter,
    known: KnownPersonProperties,
  ) {
    const conditions = leavesOf(filter).filter(isOfPerson)
    if (conditions.length === 0) return new PropertyMatcher(filter, projectId, () => '', false)
    let hasLongPeople = false
    const readLong: ReadLong = async (ids, wanted) => {
      hasLongPeople = await createLongFacts(connection, LONG_PEOPLE, ids, wanted)
      return hasLongPeople ? LONG_PEOPLE : null
    }
    const people = await peopleFacts({ connection, projectId, known, wanted: { conditions }, readLong })
    return new PropertyMatcher(filter, projectId, people, hasLongPeople)
  }

  /** After the statements; after an error, what is temporary goes with the snapshot. */
  async end(connection: DuckDBConnection): Promise<void> {
    if (this.#hasLongPeople) await connection.run(`DROP TABLE ${LONG_PEOPLE}`)
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
    const owners = current(OWNERS, { projectId: this.#projectId, columns: 'row.distinct_id, row.person_id' })
    return `people AS MATERIALIZED (
      SELECT distinct_id, owner_facts.fits AS owner_fits FROM (${owners}) JOIN (${this.#people(texts)}) USING (person_id))`
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
}
