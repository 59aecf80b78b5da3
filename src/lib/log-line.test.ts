import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { prettyLine } from './log-line.ts'
import { hasControlCharacters } from './text/control-characters.ts'

/** What pino writes for these calls, as people see it. */
function seen(work: (logger: pino.Logger) => void): string {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(prettyLine(line)) }
  work(pino({ base: null, level: 'debug', timestamp: () => ',"time":1773489600123' }, stream))
  return lines.join('')
}

describe('prettyLine', () => {
  it('has time, level, words and fields on one line', () => {
    const line = seen((logger) => logger.warn({ route: '/e/', ms: 1.5, name: 'two words', list: [1] }, 'took long'))
    expect(line).toBe('2026-03-14 12:00:00.123Z WARN  took long route=/e/ ms=1.5 name="two words" list=[1]\n')
  })
  it('puts the stack of an error below, with its code', () => {
    const err = Object.assign(new Error('no room', { cause: new Error('deeper') }), { code: 'ENOSPC' })
    const lines = seen((logger) => logger.error({ err, reqId: 'a-1' }, 'request failed')).split('\n')
    expect(lines[0]).toBe('2026-03-14 12:00:00.123Z ERROR request failed reqId=a-1')
    expect(lines[1]).toBe('    Error: no room')
    expect(lines[2]).toMatch(/^ {4}at /)
    expect(lines.join('\n')).toContain('deeper')
    expect(lines.at(-2)).toContain('{"code":"ENOSPC"}')
  })
  it('writes out what a terminal would obey', () => {
    const text = seen((logger) => logger.info({ given: '\u001b[2Jx\u202ey\n2026 fake' }, 'bad \u001b[31m'))
    expect(text.split('\n')).toHaveLength(2)
    expect(hasControlCharacters(text.replaceAll('\n', ''))).toBe(false)
  })
  it('leaves alone what is not JSON', () => {
    expect(prettyLine('plain\n')).toBe('plain\n')
  })
})
