import { describe, expect, it } from 'vitest'
import { readLine, readLines } from './snapshot-source.ts'

const event = { type: 4, timestamp: 1_700_000_000_000, data: { href: 'x' } }

describe('lines of a recording', () => {
  it.each([
    ['a window and an event', ['w1', event], [{ windowId: 'w1', event }]],
    [
      'a window and several events',
      { window_id: 'w1', data: [event, event] },
      [
        { windowId: 'w1', event },
        { windowId: 'w1', event },
      ],
    ],
    ['the other spelling', { windowId: 'w2', data: [event] }, [{ windowId: 'w2', event }]],
    ['an event alone', event, [{ windowId: '', event }]],
    ['no event', ['w1', { type: 4 }], []],
    ['something else', 5, []],
    ['nothing', null, []],
  ])('may be %s', (_name, value, expected) => {
    expect(readLine(JSON.stringify(value))).toEqual(expected)
  })
  it('are left out when they cannot be read, and only they', async () => {
    const broken = JSON.stringify(['w', { ...event, type: 2, cv: '2024-10', data: 'no gzip' }])
    const text = ['{', JSON.stringify(['w', event]), '', broken, JSON.stringify(['v', event])].join('\n')
    expect((await readLines(text)).map(({ windowId }) => windowId)).toEqual(['w', 'v'])
  })
})
