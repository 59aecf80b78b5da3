/**
 * Which people match a filter, as SQL over the current rows. Properties are read as rarely and by as many threads as
 * their size allows (see people-portions.ts); texts too long for a row are read beforehand. A search looks at the folded
 * texts; only rows without one are searched in their properties, and where there are none, nothing of them is read.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { foldCase } from '../../../lib/text/case-fold.ts'
import type { PersonFilter, PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { mayBeInUuid, propertiesContain } from '../../person-filter.ts'
import { leavesOf } from '../../property-filter.ts'
import { SEPARATOR } from '../../search-text.ts'
import { inBatches, rejoinTexts } from '../listing/rejoin-texts.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import { satisfiesSql, singleThreaded, valuesSatisfy } from '../properties/property-sql.ts'
import { columnValues } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'
import { instant } from '../values/literal.ts'
import { current, PEOPLE, presentPortions } from './current-people.ts'
import { amongIds, ownerOf, type SearchedOwners, searchOwners } from './matching-owners.ts'
import { LONG_ROWS, type PeoplePortion, portionsByWidth, portionsFor } from './people-portions.ts'

const isAny = (filter: PropertyFilter): boolean => 'join' in filter && filter.join === 'AND' && filter.of.length === 0

/** Exactly this text: `exact` alone also holds for a number that is spelled differently. */
const emailIs = (value: string): PropertyFilter => ({
  join: 'AND',
  of: (['exact', 'icontains'] as const).map((operator): PropertyCondition => ({ key: 'email', operator, value })),
})

/** What is asked of a person's properties, a search left out. */
function propertiesAsked({ email, properties }: PersonFilter): PropertyFilter {
  const of = [...(email === undefined ? [] : [emailIs(email)]), ...(properties ? [properties] : [])]
  return of.length === 1 ? (of[0] as PropertyFilter) : { join: 'AND', of }
}

interface MatchedPortion extends PeoplePortion {
  /** Without a search text. */
  isUnfolded: boolean
  /** SQL of whether a row's properties satisfy the filter. */
  satisfies(filter: PropertyFilter, texts: Texts): string
}

/** The ids of the long texts that satisfy each filter. */
type LongMatches = Map<PropertyFilter, bigint[]>

/** The ids of the long texts that satisfy each filter, of these ids. */
export async function matchLong(
  connection: DuckDBConnection,
  ids: bigint[],
  filters: PropertyFilter[],
): Promise<LongMatches> {
  const matches: LongMatches = new Map(filters.map((filter) => [filter, []]))
  for (const group of await inBatches(connection, ids)) {
    const texts = new Texts()
    const columns = filters.map((filter) => satisfiesSql(filter, 'properties', texts))
    const sql = `SELECT id, ${columns.join(', ')} FROM ${singleThreaded(rejoinTexts(group))}`
    for (const [id, ...results] of await texts.rows(connection, sql)) {
      for (const [place, filter] of filters.entries()) if (results[place]) matches.get(filter)?.push(id as bigint)
    }
  }
  return matches
}

interface Search {
  folded: string
  /** For rows without a search text. */
  properties: PropertyFilter
  owners: SearchedOwners
}

async function prepareSearch(connection: DuckDBConnection, projectId: number, search: string): Promise<Search> {
  const owners = await searchOwners(connection, projectId, search)
  return { folded: foldCase(search), properties: propertiesContain(search), owners }
}

async function plainConditions(
  connection: DuckDBConnection,
  projectId: number,
  { updatedAfter, distinctId }: PersonFilter,
): Promise<string[]> {
  const conditions: string[] = []
  if (updatedAfter !== undefined) conditions.push(`row.updated_at > ${instant(updatedAfter)}`)
  if (distinctId !== undefined) {
    const owner = await ownerOf(connection, projectId, distinctId)
    conditions.push(amongIds('row.person_id', owner === null ? [] : [owner]))
  }
  return conditions
}

interface Prepared {
  projectId: number
  /** SQL of conditions on other columns than the properties. */
  plain: string[]
  properties: PropertyFilter
  search: Search | null
  portions: MatchedPortion[]
}

type Asked = Pick<Prepared, 'properties' | 'search'>

/** With what tells whether a row satisfies a filter. */
function matched(portion: PeoplePortion, isUnfolded: boolean, long: LongMatches): MatchedPortion {
  const { columns, isLong } = portion
  return {
    ...portion,
    isUnfolded,
    satisfies(filter, texts) {
      if (isLong) return amongIds('row.long_id', long.get(filter) ?? [])
      return columns
        ? valuesSatisfy(filter, columnValues(columns), texts)
        : satisfiesSql(filter, 'row.properties', texts)
    },
  }
}

/** Rows without a width have no search text: a number is looked up faster than a text. */
function portionsOf({ properties, search }: Asked, known: KnownPersonProperties, long: LongMatches): MatchedPortion[] {
  const where = search ? 'row.width IS NOT NULL' : 'true'
  const keys = leavesOf(properties).map(({ key }) => key)
  const whole = { where, sides: PEOPLE, columns: null, isWide: false, isLong: false }
  const folded = isAny(properties) ? [whole] : portionsFor(where, keys, known)
  const unfolded = search ? portionsByWidth('row.width IS NULL') : []
  return [
    ...folded.map((portion) => matched(portion, false, long)),
    ...unfolded.map((portion) => matched(portion, true, long)),
  ]
}

/** Notes which long texts satisfy what is asked. */
async function findLong(
  connection: DuckDBConnection,
  {
    projectId,
    plain,
    asked,
    portions,
  }: Pick<Prepared, 'projectId' | 'plain' | 'portions'> & { asked: PropertyFilter[] },
  long: LongMatches,
): Promise<void> {
  const sides = new Set(portions.filter(({ isLong }) => isLong).flatMap((portion) => portion.sides))
  if (sides.size === 0) return
  const rows = { projectId, columns: 'row.long_id', where: [LONG_ROWS, ...plain].join(' AND ') }
  const found = await connection.runAndReadAll(current([...sides], rows))
  const ids = found.getRows().map(([id]) => id as bigint)
  for (const [filter, fitting] of await matchLong(connection, ids, asked)) long.set(filter, fitting)
}

/** A filter on people prepared for use in one statement. */
export class PersonMatches {
  readonly #prepared: Prepared

  private constructor(prepared: Prepared) {
    this.#prepared = prepared
  }

  /** In the snapshot of the statement. The filter has no broken pattern. */
  static async prepare(
    connection: DuckDBConnection,
    projectId: number,
    filter: PersonFilter,
    known: KnownPersonProperties,
  ) {
    const properties = propertiesAsked(filter)
    const search = filter.search ? await prepareSearch(connection, projectId, filter.search) : null
    const plain = await plainConditions(connection, projectId, filter)
    const long: LongMatches = new Map()
    const portions = await presentPortions(connection, projectId, portionsOf({ properties, search }, known, long))
    const asked = [properties, ...(search ? [search.properties] : [])].filter((one) => !isAny(one))
    await findLong(connection, { projectId, plain, asked, portions }, long)
    return new PersonMatches({ projectId, plain, properties, search, portions })
  }

  /** SQL of the tables that `rows` reads besides those of the store, each with its name. */
  definitions(texts: Texts): string[] {
    const definition = this.#prepared.search?.owners.definition
    return definition ? [definition(texts)] : []
  }

  /** SQL of the matching people: these columns of the table. */
  rows(columns: string[], texts: Texts): string {
    const { portions } = this.#prepared
    if (portions.length === 0) return `SELECT ${columns.join(', ')} FROM persons WHERE false`
    return portions.map((portion) => this.#portionRows(portion, columns, texts)).join(' UNION ALL ')
  }

  #portionRows(portion: MatchedPortion, columns: string[], texts: Texts): string {
    const { projectId, plain, properties } = this.#prepared
    const listed = columns.map((column) => `row.${column}`).join(', ')
    const where = [portion.where, ...plain].join(' AND ')
    const satisfies = isAny(properties) ? 'true' : portion.satisfies(properties, texts)
    const matches = `(${this.#searchSql(portion, texts)}) AND ${satisfies}`
    if (!portion.isWide) return current(portion.sides, { projectId, columns: listed, where: `${where} AND ${matches}` })
    const sides = portion.sides.map((side) =>
      singleThreaded(side.rows({ projectId, columns: `${listed}, ${matches} AS fits`, where })),
    )
    return sides.map((side) => `SELECT ${columns.join(', ')} FROM ${side} WHERE fits`).join(' UNION ALL ')
  }

  #searchSql(portion: MatchedPortion, texts: Texts): string {
    const { search } = this.#prepared
    if (!search) return 'true'
    const { folded, owners } = search
    const inText = () => (folded.includes(SEPARATOR) ? 'false' : `contains(row.search, ${texts.bind(folded)})`)
    return [
      portion.isUnfolded ? portion.satisfies(search.properties, texts) : inText(),
      ...(mayBeInUuid(folded) ? [`contains(row.uuid::VARCHAR, ${texts.bind(folded)})`] : []),
      owners.condition,
    ].join(' OR ')
  }
}
