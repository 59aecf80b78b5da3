/** What trends and funnels rely on of the engine's compensated sums. */
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { rounded } from '../../../lib/numbers/sums.ts'

const NUMBERS = `SELECT (hash(i) % 1000003) / 997.0::DOUBLE * (CASE WHEN i % 3 = 0 THEN -0.5 ELSE 1 END) AS x
  FROM range(500000) t(i)`

async function rowOf(sql: string, threads = 1): Promise<number[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE numbers AS ${NUMBERS}`)
  const [row] = (await connection.runAndReadAll(sql)).getRows()
  connection.closeSync()
  instance.closeSync()
  return row as number[]
}

it('have the same 12 digits with one, two and four threads, in any order, and of exact ones', async () => {
  const both = 'fsum(x), favg(x)'
  const asked = [1, 2, 4].flatMap((threads) => [
    rowOf(`SELECT ${both} FROM numbers`, threads),
    rowOf(`SELECT ${both} FROM (FROM numbers ORDER BY x)`, threads),
    rowOf(`SELECT ${both} FROM (FROM numbers ORDER BY hash(x))`, threads),
  ])
  // Multiples of half a 997th: whole numbers add up exactly.
  const [exact] = await rowOf('SELECT sum(round(x * 1994)::BIGINT)::DOUBLE FROM numbers')
  const sum = (exact as number) / 1_994
  for (const row of await Promise.all(asked)) expect(row.map(rounded)).toEqual([rounded(sum), rounded(sum / 500_000)])
})

it('leave out NULL, and are NULL of nothing', async () => {
  expect(await rowOf('SELECT fsum(x), favg(x) FROM (VALUES (NULL::DOUBLE), (2), (3)) t(x)')).toEqual([5, 2.5])
  expect(await rowOf('SELECT fsum(x), favg(x) FROM numbers WHERE false')).toEqual([null, null])
})

it('are no number where a sum overflows, by which it is noticed', async () => {
  const huge = '(VALUES (1.7e308::DOUBLE), (1.7e308), (-1.7e308)) t(x)'
  expect(await rowOf(`SELECT fsum(x), favg(x) FROM ${huge}`)).toEqual([Number.NaN, Number.NaN])
})
