/** The filter bar offers every operator of docs/filters.md, and no other. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OPERATOR_NAMES } from '../../src/web/app/kit/filters/property-filter.ts'

const docs = readFileSync(new URL('../../docs/filters.md', import.meta.url), 'utf8')

it('has the operators of the table in the docs', () => {
  const rows = docs.split('|---|---|---|\n')[1]?.split('\n\n')[0]?.split('\n') ?? []
  const cells = rows.map((row) => row.split('|')[1] ?? '')
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]))
  expect([...OPERATOR_NAMES].sort()).toEqual(named.sort())
})
