/** Which of some persons fit which filters. */
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { FITTED_AT_ONCE, NOBODY } from '../../../model/persons/person-search.ts'
import { fitsNobody } from '../../property-filter.ts'
import type { Reading } from '../parts.ts'
import { satisfiesSql, withoutBrokenPatterns } from '../properties/property-sql.ts'
import { int, isOneOf } from '../values/literal.ts'
import { ofProject } from './current-people.ts'

export async function personsThatFit(
  reading: Reading,
  projectId: number,
  personIds: number[],
  asked: PropertyFilter[],
): Promise<number[][]> {
  if (personIds.length > FITTED_AT_ONCE) throw new Error(`At most ${FITTED_AT_ONCE} persons are looked at at once.`)
  if (personIds.length === 0 || asked.length === 0) return asked.map(() => [])
  const filters: PropertyFilter[] = []
  for (const filter of asked) filters.push(await withoutBrokenPatterns(reading, filter))
  const fitting = filters.map((filter) => (personIds.includes(NOBODY) && fitsNobody(filter) ? [NOBODY] : []))
  const results = filters.map(
    (filter) => `argMax(deleted = 0 AND ${satisfiesSql(filter, reading.columns.persons)}, seq)`,
  )
  const rows = await reading.rows(`SELECT person_id, ${results.join(', ')} FROM persons
    WHERE ${ofProject(projectId)} AND ${isOneOf('person_id', personIds, int)} GROUP BY person_id`)
  for (const [id, ...fits] of rows) {
    for (const [filter, isFit] of fits.entries()) if (isFit === 1) fitting[filter]?.push(Number(id))
  }
  return fitting
}
