/**
 * Case folding as a function of the database. What the engine itself offers depends on its version, on how it was built
 * and on the database's locale, and differs from ours for some letters; so the function has our own table.
 */
import { type Kysely, sql } from 'kysely'
import { foldCase } from '../../../lib/text/case-fold.ts'

/** Of all characters but ASCII and surrogates. */
const RANGES = [
  [0x80, 0xd800],
  [0xe000, 0x110000],
] as const
/** Characters that are looked at together: most have no case. */
const BLOCK = 0x80

/** The characters that folding changes. */
function* cased(): Generator<string> {
  for (const [first, end] of RANGES) {
    for (let start = first; start < end; start += BLOCK) {
      const codes = Array.from({ length: BLOCK }, (_, place) => start + place)
      const block = String.fromCodePoint(...codes)
      if (foldCase(block) !== block) yield* [...block].filter((letter) => foldCase(letter) !== letter)
    }
  }
}

let statement: string | undefined

/** Most texts are ASCII; of others, each character is looked up. */
function foldStatement(): string {
  const table = Object.fromEntries([...cased()].map((letter) => [letter, foldCase(letter)]))
  return `create or replace function hedgerow_fold(given text) returns text language sql immutable parallel safe as $fold$
    select case when octet_length(given) = length(given) then lower(given collate "C")
      else (select string_agg(coalesce('${JSON.stringify(table)}'::jsonb ->> letter, letter), '' order by place)
        from unnest(string_to_array(lower(given collate "C"), null)) with ordinality as letters(letter, place)) end $fold$`
}

/** In a transaction that no other process has open at the same time. */
export async function createFold(db: Kysely<unknown>): Promise<void> {
  statement ??= foldStatement()
  await sql.raw(statement).execute(db)
}
