/**
 * A pattern that finds a text whatever its case, as lib/text/case-fold.ts folds: the engine has no such function that every
 * release has. Letters that fold to several (`ß` to `ss`) are found too.
 */
import { foldCase } from '../../../lib/text/case-fold.ts'

/** No letter beyond has a case. */
const LAST_LETTER = 0x1ffff

interface Unfolded {
  /** By what they fold to, of one character: all letters that do, itself included. */
  one: Map<string, string[]>
  /** The same of several characters, by the first of them. */
  several: Map<string, { folded: string; letters: string[] }[]>
}

function unfold(): Unfolded {
  const byFold = new Map<string, string[]>()
  for (let code = 0; code <= LAST_LETTER; code++) {
    const letter = String.fromCodePoint(code)
    const folded = foldCase(letter)
    if (folded === letter) continue
    const letters = byFold.get(folded)
    if (letters) letters.push(letter)
    else byFold.set(folded, [letter])
  }
  const found: Unfolded = { one: new Map(), several: new Map() }
  for (const [folded, letters] of byFold) {
    const [first = '', ...rest] = folded
    if (rest.length === 0) found.one.set(folded, [folded, ...letters])
    else found.several.set(first, [...(found.several.get(first) ?? []), { folded, letters }])
  }
  return found
}

let unfolded: Unfolded | null = null

const escaped = (letter: string): string => `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`

const classOf = (letters: string[]): string =>
  letters.length === 1 ? escaped(letters[0] as string) : `[${letters.map(escaped).join('')}]`

/** So many of these in a row are found in each mixture of one letter and several; longer rows in the likeliest ones. */
const MIXED_AT_MOST = 8

/** All ways to write these characters, of which any may be a part of one that folds to several. */
function ways(text: string[], { one, several }: Unfolded): string[] {
  const [first] = text
  if (first === undefined) return ['']
  const single = classOf(one.get(first) ?? [first])
  const found = ways(text.slice(1), { one, several }).map((rest) => single + rest)
  for (const { folded, letters } of several.get(first) ?? []) {
    const size = [...folded].length
    if (text.slice(0, size).join('') !== folded) continue
    found.push(...ways(text.slice(size), { one, several }).map((rest) => classOf(letters) + rest))
  }
  return found
}

/** Where a letter that folds to several may be written: how many characters from here, 0 for none. */
function spanAt(text: string[], at: number, { several }: Unfolded): number {
  const fits = (several.get(text[at] ?? '') ?? []).filter(
    ({ folded }) => text.slice(at, at + [...folded].length).join('') === folded,
  )
  return Math.max(0, ...fits.map(({ folded }) => [...folded].length))
}

/** A pattern of RE2 that finds the text in any text, whatever the case of either. */
export function foldedPattern(text: string): string {
  unfolded ??= unfold()
  const letters = [...foldCase(text)]
  let pattern = ''
  let at = 0
  while (at < letters.length) {
    let end = at + spanAt(letters, at, unfolded)
    for (let next = at + 1; next < end && next - at < MIXED_AT_MOST; next++)
      end = Math.max(end, next + spanAt(letters, next, unfolded))
    end = Math.min(Math.max(end, at + 1), letters.length)
    const found = ways(letters.slice(at, end), unfolded)
    pattern += found.length === 1 ? found.join() : `(?:${found.join('|')})`
    at = end
  }
  return pattern
}
