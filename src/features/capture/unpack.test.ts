import { expect, it } from 'vitest'
import { createTokenWatch } from './unpack.ts'

const eventOf = (length: number) =>
  JSON.stringify([{ event: 'e', properties: { text: 'a'.repeat(length), token: 't' } }])

/** The tokens that are checked while a text comes in pieces. */
function checkedIn(text: string, piece: number): string[] {
  const checked: string[] = []
  const tokenWatch = createTokenWatch(async (token) => checked.push(token))
  const bytes = Buffer.from(text)
  for (let end = piece; end < bytes.length + piece; end += piece) tokenWatch(bytes.subarray(0, end))
  return checked
}

it('checks a token once, as soon as it has arrived', () => {
  const text = `{"api_key":"t","batch":[${' '.repeat(1_000_000)}]}`
  expect(checkedIn(text, 16 * 1024)).toEqual(['t'])
  expect(checkedIn(text, text.length)).toEqual(['t'])
})

it.each([1, 100_000])('parses the first event of a list to find it, %i bytes', (length) => {
  const rest = ','.padEnd(300_000)
  expect(checkedIn(eventOf(length).replace(/]$/, `${rest}{}]`), 16 * 1024)).toEqual(['t'])
})

it('does not parse a large event to find it', () => {
  expect(checkedIn(eventOf(300_000), 16 * 1024)).toEqual([])
  expect(checkedIn(eventOf(20_000_000), 20_000_000)).toEqual([])
})

it('does not search when the token is known', () => {
  expect(createTokenWatch(null)(Buffer.from(eventOf(100_000)))).toBeUndefined()
})
