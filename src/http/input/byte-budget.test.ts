import { describe, expect, it } from 'vitest'
import { testClock } from '../../../test/support/clock.ts'
import type { AppError } from '../../lib/errors.ts'
import { ByteBudget, type Holding } from './byte-budget.ts'

const MAX = 1_000

function make() {
  const clock = testClock()
  const budget = new ByteBudget(MAX, clock)
  const revoked: string[] = []
  const receive = (address: string, bytes: number): Holding => {
    const holding = budget.open(address)
    holding.revoke = () => void revoked.push(`${address} ${bytes}`)
    holding.take(bytes)
    return holding
  }
  const refusal = (work: () => unknown) => {
    try {
      work()
      return null
    } catch (error) {
      return (error as AppError).kind
    }
  }
  return { clock, budget, revoked, receive, refusal }
}

describe('the byte budget', () => {
  it('charges what is taken, and gives it back once', () => {
    const { budget, receive } = make()
    const [a, b] = [receive('a', 100), receive('b', 50)]
    b.take(25)
    expect(budget.held).toBe(175)
    a.release()
    a.release()
    expect(budget.held).toBe(75)
    b.release()
    expect(budget.held).toBe(0)
  })
  it('lets one address have all of it while no other is active, and no more', () => {
    const { budget, receive, refusal } = make()
    receive('a', 600)
    receive('a', 400)
    expect(refusal(() => receive('a', 1))).toBe('unavailable')
    expect(budget.held).toBe(MAX)
  })
  it('refuses permanently a request that alone exceeds it', () => {
    const { receive, refusal } = make()
    expect(refusal(() => receive('a', MAX + 1))).toBe('too_large')
    const holding = receive('a', MAX)
    expect(refusal(() => holding.take(1))).toBe('too_large')
  })
  it('gives an address no more than half while another holds bytes', () => {
    const { receive, refusal } = make()
    const other = receive('b', 1)
    receive('a', 500)
    expect(refusal(() => receive('a', 1))).toBe('unavailable')
    receive('c', 400)
    other.release()
  })
  it('remembers for ten seconds that another has asked', () => {
    const { clock, receive, refusal } = make()
    receive('b', 1).release()
    receive('a', 1)
    clock.advance(9_999)
    expect(refusal(() => receive('a', 501))).toBe('unavailable')
    clock.advance(2)
    expect(refusal(() => receive('a', 501))).toBeNull()
  })
  it('lets one request have more than half when it is all that its address holds, as far as there is room', () => {
    const { budget, receive, refusal } = make()
    receive('b', 100)
    const alone = receive('a', 400)
    alone.take(300)
    expect(refusal(() => receive('a', 1))).toBe('unavailable')
    alone.take(200)
    expect(refusal(() => alone.take(1))).toBe('unavailable')
    expect(budget.held).toBe(MAX)
  })
  it('ends what an address beyond its half is still sending when another finds no room, the newest first', () => {
    const { budget, revoked, receive, refusal } = make()
    for (const bytes of [300, 301, 302]) receive('a', bytes)
    receive('b', 97)
    expect(revoked).toEqual([])
    receive('b', 300)
    expect([revoked, budget.held]).toEqual([['a 302'], 300 + 301 + 97 + 300])
    receive('c', 150)
    expect([revoked, budget.held]).toEqual([['a 302', 'a 301'], 300 + 97 + 300 + 150])
    expect(refusal(() => receive('c', 200))).toBe('unavailable')
    expect(revoked).toHaveLength(2)
  })
  it('never ends what has arrived', () => {
    const { revoked, receive, refusal } = make()
    const holding = receive('a', 900)
    holding.revoke = null
    expect(refusal(() => receive('b', 200))).toBe('unavailable')
    expect([revoked, holding.bytes]).toEqual([[], 900])
    expect(refusal(() => receive('b', 100))).toBeNull()
  })
})
