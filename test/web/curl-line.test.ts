/** The line that the app prints for a request, read by a real shell. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { curlLine, type Sent } from '../../src/web/app/data/requests/curl-line.ts'

/** The words that a shell makes of a line, with HEDGEROW_KEY set. */
function wordsOf(lines: string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\1\\0'`).join('\n')
  const output = execFileSync('/bin/sh', ['-c', script], { env: { HEDGEROW_KEY: 'phx_secret' }, encoding: 'utf8' })
  const all = output.split('\0')
  const words: string[][] = [[]]
  for (const word of all.slice(0, -1)) word === '\x01' ? words.push([]) : words.at(-1)?.push(word)
  return words.slice(0, -1)
}

it('is what a shell sends', () => {
  const line = curlLine({ method: 'PATCH', url: 'https://a.example/api/projects/1/', body: '{"name":"Ann\'s"}' })
  expect(line).toBe(
    `curl -X PATCH -H "Authorization: Bearer $HEDGEROW_KEY" -H 'Content-Type: application/json' -d '{"name":"Ann'\\''s"}' 'https://a.example/api/projects/1/'`,
  )
  expect(wordsOf([line])[0]).toEqual([
    'curl',
    '-X',
    'PATCH',
    '-H',
    'Authorization: Bearer phx_secret',
    '-H',
    'Content-Type: application/json',
    '-d',
    `{"name":"Ann's"}`,
    'https://a.example/api/projects/1/',
  ])
})

it('reaches curl unchanged, whatever is in it', () => {
  const sent = fc.record<Sent>({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    url: fc
      .string()
      .map((text) => new URL(`/api/?q=${encodeURIComponent(text.toWellFormed())}'$(id)`, 'https://a.example').href),
    body: fc.option(fc.json({ stringUnit: 'grapheme' })),
  })
  fc.assert(
    fc.property(fc.array(sent, { minLength: 1, maxLength: 40 }), (all) => {
      const read = wordsOf(all.map(curlLine))
      expect(read.map((words) => words.at(-1))).toEqual(all.map(({ url }) => url))
      const bodies = read.map((words) => (words.includes('-d') ? words.at(-2) : null))
      expect(bodies).toEqual(all.map(({ body }) => body))
      expect(read.every((words) => words.includes('Authorization: Bearer phx_secret'))).toBe(true)
    }),
    { numRuns: 30 },
  )
})
