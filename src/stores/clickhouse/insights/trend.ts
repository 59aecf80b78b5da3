/**
 * Trends. Events become units (see measures.ts), which are counted for each line and interval. With a breakdown, the values
 * with the most are found first; then units are made again, with those of all other values as one line, because an actor
 * with two of the other values still counts once. Events are counted once only: the others are what is left.
 */
import type { TrendLine, TrendQuestion } from '../../../model/insights/insight-question.ts'
import type { Reading } from '../parts.ts'
import { breakdownTextOf, valueUnder } from '../properties/property-sql.ts'
import { int } from '../values/literal.ts'
import { lineOf, lineSql, readLines } from './breakdown-lines.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents, WHO } from './matching-events.ts'
import { type Counting, countingOf } from './measures.ts'
import { withPersonText } from './people-facts.ts'

interface Asked {
  reading: Reading
  question: TrendQuestion
  counting: Counting
  /** SQL of the events, from `FROM` on. */
  found: string
}

/** SQL of the slot of a breakdown text. */
type SlotOf = (text: string) => string

/** SQL of the units of all events. */
function unitsSql({ reading, question, counting, found }: Asked, slotOf: SlotOf): string {
  const { breakdown, edges, projectId } = question
  const { key, columns, where = '1' } = counting
  const keys = key ? [key] : []
  const ofPeople = breakdown?.of === 'person' && key?.name !== 'who' ? [{ name: 'who', sql: WHO }] : []
  // As it is stored: texts are made of the few that differ.
  const values =
    breakdown?.of === 'event'
      ? [{ name: 'stored', sql: `${valueUnder(breakdown.key, reading.columns.events).value} AS stored` }]
      : []
  const by = [...values, { name: 'bucket', sql: `${bucketSql(edges)} AS bucket` }, ...keys, ...ofPeople]
  const sums = columns.map(({ name, of }) => `${of} AS ${name}`)
  const units = `SELECT ${[...by.map(({ sql }) => sql), ...sums].join(', ')} ${found} AND ${where}
    GROUP BY ${by.map(({ name }) => name).join(', ')}`
  if (!breakdown) return units
  const isOfPeople = breakdown.of === 'person'
  const text = isOfPeople ? 'person_text' : breakdownTextOf('stored')
  const source = isOfPeople ? withPersonText(reading, units, projectId, breakdown.key) : `(${units})`
  const kept = ['bucket', ...keys.map(({ name }) => name)]
  const merged = columns.map((column) => `${column.merged} AS ${column.name}`)
  return `SELECT ${[`${slotOf(text)} AS slot`, ...kept, ...merged].join(', ')}
    FROM ${source} GROUP BY slot, ${kept.join(', ')}`
}

/** How many of the first intervals are only context. */
const skippedOf = ({ measure }: TrendQuestion): number => (measure.kind === 'active_actors' ? measure.spans - 1 : 0)

/** SQL of the breakdown values with the most. */
function topSql(asked: Asked, limit: number): string {
  const { counting, question } = asked
  const units = unitsSql(asked, (text) => text)
  const {
    rank = (sum) => sum,
    totals = (all) =>
      `SELECT slot, sum(toFloat64(value)) AS total FROM (${counting.values(all, ['slot'])})
        WHERE bucket >= ${int(skippedOf(question))} GROUP BY slot`,
  } = counting
  return `SELECT slot FROM (${totals(units)}) WHERE slot != '' ORDER BY ${rank('total')} DESC, slot LIMIT ${int(limit)}`
}

const INFINITE: Record<string, number> = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY }

const numberOf = (value: unknown): number => INFINITE[value as string] ?? Number(value)

function valuesOf({ question, counting }: Asked, cells: Map<number, number>): number[] {
  let last = 0
  const values = Array.from({ length: question.edges.length - 1 }, (_, bucket) => {
    const value = cells.get(bucket) ?? 0
    last = counting.areChanges ? last + value : value
    return last
  })
  return values.slice(skippedOf(question))
}

/** The cells of each line, of rows of line, interval, value and exact value. */
function cellsOf(rows: unknown[][], { answer = (value) => value }: Counting): Map<string, Map<number, number>> {
  const lines = new Map<string, Map<number, number>>()
  for (const [line, bucket, value, exact] of rows as [string, string, unknown, string][]) {
    const cells = lines.get(line) ?? new Map<number, number>()
    lines.set(line, cells.set(Number(bucket), answer(numberOf(value), exact)))
  }
  return lines
}

async function wholeLine(asked: Asked): Promise<TrendLine[]> {
  const { counting } = asked
  const values = counting.values(
    unitsSql(asked, (text) => text),
    [],
  )
  const cells = cellsOf(await asked.reading.rows(`SELECT '', bucket, value, exact FROM (${values})`), counting).get('')
  return [{ breakdown: null, values: valuesOf(asked, cells ?? new Map()) }]
}

/** Values of a breakdown that are read to be added up here. */
const MOST_VALUES = 10_000

/** A value of a breakdown, and its intervals with the value of each. */
type ValueRow = [slot: string, buckets: unknown[], values: unknown[]]

/** The values of a breakdown whose lines add up, those with the most first; one more than are added up here. */
async function rankedValues(asked: Asked): Promise<ValueRow[]> {
  const units = unitsSql(asked, (text) => text)
  const rows = await asked.reading.rows(`SELECT slot, groupArray(bucket), groupArray(value), sum(value) AS total
    FROM (${asked.counting.values(units, ['slot'])}) GROUP BY slot
    ORDER BY total DESC, slot LIMIT ${int(MOST_VALUES + 1)}`)
  return rows as ValueRow[]
}

/** The cells of each line, of all values. */
function addedUp(rows: ValueRow[], top: ReadonlySet<string>): Map<string, Map<number, number>> {
  const lines = new Map<string, Map<number, number>>()
  for (const [text, buckets, values] of rows) {
    const line = lineOf(text, top)
    const cells = lines.get(line) ?? new Map<number, number>()
    lines.set(line, cells)
    for (const [place, found] of buckets.entries()) {
      const bucket = Number(found)
      cells.set(bucket, (cells.get(bucket) ?? 0) + Number(values[place]))
    }
  }
  return lines
}

const linesOf = (asked: Asked, lines: Map<string, Map<number, number>>, top: string[]): TrendLine[] =>
  readLines(lines, top).map(([breakdown, cells]) => ({ breakdown, values: valuesOf(asked, cells) }))

async function brokenDown(asked: Asked, limit: number): Promise<TrendLine[]> {
  const { counting, reading } = asked
  const ranked = counting.addsUp ? await rankedValues(asked) : null
  const texts = (ranked ?? (await reading.rows(topSql(asked, limit)))).map(([text]) => text as string)
  const top = texts.filter((text) => text !== '').slice(0, limit)
  if (ranked && ranked.length <= MOST_VALUES) return linesOf(asked, addedUp(ranked, new Set(top)), top)
  const units = unitsSql(asked, (text) => lineSql(text, top))
  const found = await reading.rows(`SELECT slot, bucket, value, exact FROM (${counting.values(units, ['slot'])})`)
  return linesOf(asked, cellsOf(found, counting), top)
}

export async function trend(reading: Reading, question: TrendQuestion): Promise<TrendLine[]> {
  const { projectId, selector, edges, breakdown } = question
  const counting = countingOf(question, reading.columns.events)
  const found = await matchingEvents(reading, {
    projectId,
    selector,
    from: edges[0] ?? 0,
    to: edges.at(-1) ?? 0,
    withActors: counting.key?.name === 'who' || breakdown?.of === 'person',
  })
  const asked = { reading, question, counting, found }
  return breakdown ? brokenDown(asked, breakdown.limit) : wholeLine(asked)
}
