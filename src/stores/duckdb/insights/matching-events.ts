/**
 * The events that match a selector, or any of several, as SQL: their time, their actor where needed, and the requested
 * properties of the event or its actor. Events are read once, however many selectors there are. Properties are read only
 * where a filter, a number or a breakdown needs them. Those too long for a row are evaluated first, into a temporary
 * table of this connection, which its statement drops afterwards.
 */
import type { Breakdown, EventSelector } from '../../../model/insights/insight-question.ts'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { filterSql, leavesOf, matchesMissing } from '../../property-filter.ts'
import { idHashSql } from '../actors/id-hash-sql.ts'
import { changedActors } from '../actors/overrides.ts'
import { current, OWNERS } from '../people/current-people.ts'
import { peopleFacts, type ReadLong } from '../people/people-facts.ts'
import { eventsWithFacts, factNames, fitName, unpackedFacts } from '../properties/event-facts.ts'
import { checkPatterns, type Wanted } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { instant, int } from '../values/literal.ts'
import type { QuestionStatement } from './statement.ts'

/** What to read of events. */
interface Reading {
  from: number
  /** Excluded. */
  to: number
  /** SQL of columns of the table `events`, with their names; each is computed from its own row only. */
  columns: string
  /** SQL of a further condition on the table `events`. */
  within?: string
  number?: string | undefined
  breakdown?: Breakdown | null
}

/** Events that match one selector. */
export interface Search extends Reading {
  selector: EventSelector
  /** Whether `actor` is wanted (see actors/overrides.ts). */
  withActors?: boolean
}

/** Of these events only later ones match where `since` says so. */
type Choice = EventSelector & { since?: number }

/** Events that match any of these. */
export interface WideSearch extends Reading {
  selectors: Choice[]
}

/** SQL of what tells who did an event, from `events`. */
const actorColumns = ({ hasUnfilledActors }: QuestionStatement): string =>
  hasUnfilledActors ? 'id_hash, actor, project_id, distinct_id' : 'id_hash, actor'

/** SQL of the same rows with `actor`: the person that owns the event's id now, or the id's hash. */
function withActor(statement: QuestionStatement, rows: string): string {
  const { projectId, hasUnfilledActors } = statement
  if (!statement.has('moved')) statement.define('moved', changedActors(projectId))
  const select = (actor: string) =>
    `SELECT found.* EXCLUDE (${actorColumns(statement)}), ${actor} AS actor
      FROM (${rows}) AS found LEFT JOIN moved ON moved.id_hash = found.id_hash`
  if (!hasUnfilledActors) return select('coalesce(changed_actor, actor)')
  if (!statement.has('owner')) {
    statement.define('owner', current(OWNERS, { projectId, columns: 'row.distinct_id, row.person_id' }))
  }
  return `${select(`coalesce(changed_actor, actor, person_id, ${idHashSql('found')})`)}
    LEFT JOIN owner ON owner.distinct_id = CASE WHEN actor IS NULL THEN found.distinct_id END`
}

/** The requested property values of people, by person. */
async function definePeople(statement: QuestionStatement, wanted: Wanted): Promise<string> {
  const { connection, projectId, personProperties: known, texts } = statement
  const readLong: ReadLong = (ids) => statement.longFacts(ids, wanted)
  const people = await peopleFacts({ connection, projectId, known, wanted, readLong })
  const name = statement.nameFor('person')
  statement.define(name, people(texts))
  return name
}

const bitOf = (place: number): string => int(2 ** place)

/** SQL of whether a row of `events` is one that the selector names. */
function nameSql({ event, since }: Choice, bound: Texts): string {
  const name = event === null ? 'true' : `event = ${bound.bind(event)}`
  return since === undefined ? name : `(${name} AND ts >= ${instant(since)})`
}

/** SQL of the selectors that name a row of `events`, a bit for each. */
const namedSql = (selectors: Choice[], bound: Texts): string =>
  selectors
    .map((selector, place) => `CASE WHEN ${nameSql(selector, bound)} THEN ${bitOf(place)} ELSE 0 END`)
    .join(' + ')

const readsEvent = ({ filter }: EventSelector): boolean =>
  filter !== null && leavesOf(filter).some(({ type }) => type !== 'person')

/**
 * SQL of the events themselves, with `named` when there are several selectors, and what is wanted of their properties;
 * those whose properties are not needed are read without.
 */
async function eventRows(statement: QuestionStatement, search: WideSearch, wanted: Wanted | null): Promise<string> {
  const { connection, properties, texts, project, parsesInParallel } = statement
  const { selectors, columns } = search
  const conditions = (some: Choice[], bound: Texts) => {
    const range = `ts >= ${instant(search.from)} AND ts < ${instant(search.to)}`
    const within = `${project} AND ${range}${search.within === undefined ? '' : ` AND ${search.within}`}`
    return `${within} AND (${some.map((selector) => nameSql(selector, bound)).join(' OR ')})`
  }
  const named = () => (selectors.length === 1 ? '' : `, ${namedSql(selectors, texts)} AS named`)
  if (wanted === null) return `SELECT ${columns}${named()} FROM events WHERE ${conditions(selectors, texts)}`
  const isOfAll = wanted.number !== undefined || wanted.text !== undefined
  const read = selectors.filter((selector) => isOfAll || readsEvent(selector))
  const own = new Texts()
  const ids = await own.rows(
    connection,
    `SELECT long_id FROM events WHERE ${conditions(read, own)} AND long_id IS NOT NULL`,
  )
  const long = await statement.longFacts(
    ids.map(([id]) => id as bigint),
    wanted,
  )
  const rows = { columns: `${columns}${named()}`, where: conditions(read, texts), parsesInParallel }
  const sides = await eventsWithFacts(connection, properties, wanted, rows, texts)
  if (long !== null) {
    sides.push(`SELECT ${rows.columns}, ${unpackedFacts(wanted, 'facts')} FROM events JOIN ${long} ON id = long_id
      WHERE ${rows.where}`)
  }
  if (read.length < selectors.length) {
    const nothing = factNames(wanted).map((name) => `NULL AS ${name}`)
    sides.push(`SELECT ${rows.columns}, ${nothing.join(', ')} FROM events
      WHERE ${conditions(selectors, texts)} AND NOT (${read.map((selector) => nameSql(selector, texts)).join(' OR ')})`)
  }
  return sides.join(' UNION ALL ')
}

/** SQL of the filter over a row with what is wanted of the event, and `owner_facts`. */
function matchingSql(filter: PropertyFilter, ofEvents: PropertyCondition[], ofPeople: PropertyCondition[]): string {
  return filterSql(filter, (leaf) => {
    if (leaf.type !== 'person') return fitName(ofEvents.indexOf(leaf))
    return `coalesce(owner_facts.fits[${ofPeople.indexOf(leaf) + 1}], ${matchesMissing(leaf)})`
  })
}

/** Which properties of events and of people the search has to read; null: none. */
function readingOf({ selectors, number, breakdown }: WideSearch): { events: Wanted | null; people: Wanted | null } {
  const leaves = selectors.flatMap(({ filter }) => (filter ? leavesOf(filter) : []))
  const text = (of: Breakdown['of']) => (breakdown?.of === of ? breakdown.key : undefined)
  const orNull = (wanted: Wanted) =>
    wanted.conditions.length > 0 || wanted.number !== undefined || wanted.text !== undefined ? wanted : null
  return {
    events: orNull({ conditions: leaves.filter(({ type }) => type !== 'person'), number, text: text('event') }),
    people: orNull({ conditions: leaves.filter(({ type }) => type === 'person'), text: text('person') }),
  }
}

/** SQL of the events that the selectors name. */
interface NamedEvents {
  columns: string[]
  /** Columns of `found` that are there for the conditions only. */
  internal: string[]
  from: string
  /** Of each selector. */
  conditions: string[]
}

async function namedEvents(
  statement: QuestionStatement,
  search: WideSearch,
  withActors: boolean,
): Promise<NamedEvents> {
  const { selectors, breakdown, number } = search
  await checkPatterns(
    statement.connection,
    selectors.flatMap(({ filter }) => (filter ? leavesOf(filter) : [])),
  )
  const reading = readingOf(search)
  const people = reading.people ? await definePeople(statement, reading.people) : null
  const hasActors = people !== null || withActors
  const columns = hasActors ? `${search.columns}, ${actorColumns(statement)}` : search.columns
  const rows = await eventRows(statement, { ...search, columns }, reading.events)
  const found = `(${hasActors ? withActor(statement, rows) : rows}) AS found`
  const from = people ? `${found} LEFT JOIN ${people} ON person_id = actor` : found
  const asked = [
    'found.*',
    ...(number === undefined ? [] : ['fact_number AS number']),
    ...(breakdown ? [`${breakdown.of === 'event' ? 'fact_text' : 'owner_facts.text'} AS breakdown`] : []),
  ]
  const conditions = selectors.map(({ filter }) =>
    filter ? matchingSql(filter, reading.events?.conditions ?? [], reading.people?.conditions ?? []) : 'true',
  )
  const internal = [...(selectors.length > 1 ? ['named'] : []), ...(reading.events ? factNames(reading.events) : [])]
  return { columns: asked, internal, from, conditions }
}

/**
 * SQL of the matching events: the requested columns, and those of actors, `number` and `breakdown` where they are
 * requested.
 */
export async function matchingEvents(statement: QuestionStatement, search: Search): Promise<string> {
  const wide = { ...search, selectors: [search.selector] }
  const { columns, from, conditions } = await namedEvents(statement, wide, search.withActors ?? false)
  return `SELECT ${columns.join(', ')} FROM ${from} WHERE ${conditions.join()}`
}

/**
 * SQL of the events that match any of the selectors: the requested columns, `actor`, `breakdown` where it is requested,
 * and `matches`, a bit for each selector that the event matches.
 */
export async function eventsOfAny(statement: QuestionStatement, search: WideSearch): Promise<string> {
  const { columns, internal, from, conditions } = await namedEvents(statement, search, true)
  const bits = conditions.map((condition, place) =>
    condition === 'true' ? bitOf(place) : `CASE WHEN ${condition} THEN ${bitOf(place)} ELSE 0 END`,
  )
  const isPlain = conditions.every((condition) => condition === 'true')
  const matches = search.selectors.length === 1 ? bits.join() : `named & (${bits.join(' + ')})`
  const without = internal.length === 0 ? '' : `EXCLUDE (${internal.join(', ')})`
  return `SELECT * ${without} FROM (SELECT ${columns.join(', ')}, ${matches} AS matches FROM ${from})
    ${isPlain ? '' : 'WHERE matches <> 0'}`
}
