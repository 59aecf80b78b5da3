import { describe, expect, it } from 'vitest'
import { readUnsubscribeToken, writeUnsubscribeToken } from './unsubscribe-token.ts'

const SECRET = 'a secret of the server'
const NOW = 1_772_625_600_000
const DAY = 86_400_000
const leaving = { projectId: 1, subscriptionId: 12, address: 'jörg+x@bücher.example', issuedAt: NOW }
const token = writeUnsubscribeToken(SECRET, leaving)

describe('a token to unsubscribe', () => {
  it('says who leaves what, and can stand in a URL as it is', () => {
    expect(readUnsubscribeToken(SECRET, token, NOW)).toEqual({ leaving })
    expect(encodeURIComponent(token)).toBe(token)
  })
  it('is good for thirty days', () => {
    expect(readUnsubscribeToken(SECRET, token, NOW + 30 * DAY - 1)).toEqual({ leaving })
    expect(readUnsubscribeToken(SECRET, token, NOW + 30 * DAY)).toEqual({ problem: 'expired' })
  })
  it.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['no signature', token.split('.')[0] ?? ''],
    ['another signature', `${token.slice(0, -2)}xx`],
    ['other content', token.replace(/^./, (first) => (first === 'W' ? 'X' : 'W'))],
    ['another secret', writeUnsubscribeToken('another secret', leaving)],
    ['something long', 'x'.repeat(100_000)],
  ])('is not %s', (_what, text) => {
    expect(readUnsubscribeToken(SECRET, text, NOW)).toEqual({ problem: 'malformed' })
  })
  it('says it is malformed before it says it is old', () => {
    expect(readUnsubscribeToken('another secret', token, NOW + 31 * DAY)).toEqual({ problem: 'malformed' })
  })
})
