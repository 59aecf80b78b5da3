/**
 * The events that match a selector, as SQL: their time, their actor where needed, and the requested properties of the
 * event or its actor. Properties are read only where a filter, a number or a breakdown needs them. Those too long for a
 * row are evaluated first, into a temporary table of this connection, which its statement drops afterwards.
 */
import type { Breakdown, EventSelector } from '../../../model/insights/insight-question.ts'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { longPeople } from '../listing/event-filter.ts'
import {
  checkPatterns,
  filterSql,
  leavesOf,
  matchesMissing,
  propertyValuesSql,
  singleThreaded,
  type Wanted,
} from '../listing/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { instant } from '../values/literal.ts'
import type { QuestionStatement } from './statement.ts'

/** Which events, and what to read of them. */
export interface Search {
  selector: EventSelector
  from: number
  /** Excluded. */
  to: number
  /** SQL of columns of the table `events`, with their names; each is computed from its own row only. */
  columns: string
  /** SQL of a further condition on the table `events`. */
  within?: string
  number?: string | undefined
  breakdown?: Breakdown | null
  /**
   * `text`: one column `actor`. `parts`: `person_id`, and `unowned_id`, the distinct id of an event without a person;
   * one of them is NULL, and counting them takes half the time.
   */
  actors?: 'text' | 'parts'
}

/** Distinct id → the person that owns it now. */
function defineOwners(statement: QuestionStatement): void {
  if (statement.has('owner')) return
  const sides = ['distinct_ids', 'fresh_distinct_ids'].map(
    (table) => `SELECT distinct_id, seq, person_id FROM ${table} WHERE ${statement.project}`,
  )
  statement.define(
    'owner',
    `SELECT distinct_id, person_id FROM (
      SELECT distinct_id, arg_max_null(person_id, seq) AS person_id FROM (${sides.join(' UNION ALL ')})
      GROUP BY distinct_id) WHERE person_id IS NOT NULL`,
  )
}

/** The requested property values of people, by person. */
async function definePeople(statement: QuestionStatement, wanted: Wanted): Promise<string> {
  const { connection, projectId, project, texts } = statement
  const long = await statement.longFacts(await longPeople(connection, projectId), wanted)
  const name = statement.nameFor('person')
  const sides = ['persons', 'fresh_persons'].flatMap((table) => [
    `SELECT * FROM ${singleThreaded(`SELECT person_id, seq, deleted, ${propertyValuesSql(wanted, 'properties', texts)} AS facts
      FROM ${table} WHERE ${project} AND long_id IS NULL`)}`,
    ...(long === null
      ? []
      : [`SELECT person_id, seq, deleted, facts FROM ${table} JOIN ${long} ON id = long_id WHERE ${project}`]),
  ])
  statement.define(
    name,
    `SELECT person_id, state.facts AS owner_facts FROM (
      SELECT person_id, arg_max({'gone': deleted, 'facts': facts}, seq) AS state
      FROM (${sides.join(' UNION ALL ')}) GROUP BY person_id) WHERE NOT state.gone`,
  )
  return name
}

/** SQL of the events themselves, with `facts` when any of their properties are needed. */
async function eventRows(statement: QuestionStatement, search: Search, wanted: Wanted | null): Promise<string> {
  const { connection, texts, project } = statement
  const conditions = (bound: Texts) => {
    const { event } = search.selector
    const range = `ts >= ${instant(search.from)} AND ts < ${instant(search.to)}`
    const within = `${project} AND ${range}${search.within === undefined ? '' : ` AND ${search.within}`}`
    return event === null ? within : `${within} AND event = ${bound.bind(event)}`
  }
  if (wanted === null) return `SELECT distinct_id, ${search.columns} FROM events WHERE ${conditions(texts)}`
  const own = new Texts()
  const ids = await own.rows(connection, `SELECT long_id FROM events WHERE ${conditions(own)} AND long_id IS NOT NULL`)
  const long = await statement.longFacts(
    ids.map(([id]) => id as bigint),
    wanted,
  )
  const short = `SELECT distinct_id, ${search.columns}, ${propertyValuesSql(wanted, 'properties', texts)} AS facts
    FROM events WHERE ${conditions(texts)} AND long_id IS NULL`
  if (long === null) return `SELECT * FROM ${singleThreaded(short)}`
  return `SELECT * FROM ${singleThreaded(short)} UNION ALL
    SELECT distinct_id, ${search.columns}, facts FROM events JOIN ${long} ON id = long_id WHERE ${conditions(texts)}`
}

/** SQL of the filter over a row with `facts` and `owner_facts`. */
function matchingSql(filter: PropertyFilter, ofEvents: PropertyCondition[], ofPeople: PropertyCondition[]): string {
  return filterSql(filter, (leaf) => {
    if (leaf.type !== 'person') return `facts.fits[${ofEvents.indexOf(leaf) + 1}]`
    return `coalesce(owner_facts.fits[${ofPeople.indexOf(leaf) + 1}], ${matchesMissing(leaf)})`
  })
}

/** Which properties of events and of people the search has to read; null: none. */
function readingOf({ selector, number, breakdown }: Search): { events: Wanted | null; people: Wanted | null } {
  const leaves = selector.filter ? leavesOf(selector.filter) : []
  const text = (of: Breakdown['of']) => (breakdown?.of === of ? breakdown.key : undefined)
  const orNull = (wanted: Wanted) =>
    wanted.conditions.length > 0 || wanted.number !== undefined || wanted.text !== undefined ? wanted : null
  return {
    events: orNull({ conditions: leaves.filter(({ type }) => type !== 'person'), number, text: text('event') }),
    people: orNull({ conditions: leaves.filter(({ type }) => type === 'person'), text: text('person') }),
  }
}

const ACTOR_COLUMNS = {
  text: `coalesce('p' || person_id, 'd' || distinct_id) AS actor`,
  parts: 'person_id, CASE WHEN person_id IS NULL THEN distinct_id END AS unowned_id',
}

/**
 * SQL of the matching events: the requested columns, and `actor`, `number` and `breakdown` where they are requested.
 */
export async function matchingEvents(statement: QuestionStatement, search: Search): Promise<string> {
  const { breakdown, number, actors } = search
  const { filter } = search.selector
  await checkPatterns(statement.connection, filter ? leavesOf(filter) : [])
  const reading = readingOf(search)
  const rows = await eventRows(statement, search, reading.events)
  const people = reading.people ? await definePeople(statement, reading.people) : null
  if (people || actors) defineOwners(statement)
  const joins = [
    ...(people || actors ? ['LEFT JOIN owner USING (distinct_id)'] : []),
    ...(people ? [`LEFT JOIN ${people} USING (person_id)`] : []),
  ]
  const columns = [
    'found.*',
    ...(actors ? [ACTOR_COLUMNS[actors]] : []),
    ...(number === undefined ? [] : ['facts.number AS number']),
    ...(breakdown ? [`${breakdown.of === 'event' ? 'facts' : 'owner_facts'}.text AS breakdown`] : []),
  ]
  const condition = filter
    ? matchingSql(filter, reading.events?.conditions ?? [], reading.people?.conditions ?? [])
    : 'true'
  return `SELECT ${columns.join(', ')} FROM (${rows}) AS found ${joins.join(' ')} WHERE ${condition}`
}
