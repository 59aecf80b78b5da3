import { expect, it } from 'vitest'
import type { LivePart } from '../../model/events/live-events.ts'
import { makeBatch, makeEvent } from '../contract/batch-builders.ts'
import { LiveFeed, type TakeBatches } from './live-feed.ts'

const textOf = (...names: string[]) =>
  makeBatch(1, { events: names.map((event) => makeEvent(1, { event, properties: { name: event } })) }).text

/** A feed whose source the test is, with how often that was opened and closed. */
function makeFeed(mostWaiting?: number) {
  const source = { opened: 0, closed: 0, take: (() => {}) as TakeBatches, fails: false }
  const feed = new LiveFeed(async (take) => {
    if (source.fails) throw new Error('away')
    source.opened++
    source.take = take
    return () => void source.closed++
  }, mostWaiting)
  return { source, feed }
}

const collect = () => {
  const parts: LivePart[] = []
  const names = () => parts.flatMap(({ events }) => events.map(({ event }) => event))
  return { parts, names, listener: (part: LivePart) => void parts.push(part) }
}

it('opens its source for the first follower and closes it after the last', async () => {
  const { source, feed } = makeFeed()
  const [one, two] = await Promise.all([feed.follow(1, {}, () => {}), feed.follow(2, {}, () => {})])
  expect(source).toMatchObject({ opened: 1, closed: 0 })
  one()
  one()
  expect(source).toMatchObject({ opened: 1, closed: 0 })
  two()
  await expect.poll(() => source).toMatchObject({ opened: 1, closed: 1 })
  const again = await feed.follow(1, {}, () => {})
  expect(source).toMatchObject({ opened: 2, closed: 1 })
  again()
})

it('tells nobody anything after they left, also of what waits', async () => {
  const { source, feed } = makeFeed()
  const [left, stays] = [collect(), collect()]
  const leave = await feed.follow(1, {}, left.listener)
  await feed.follow(1, {}, stays.listener)
  source.take([textOf('a')], true)
  leave()
  await expect.poll(stays.names).toEqual(['a'])
  expect(left.parts).toEqual([])
})

it('rejects when its source cannot be opened, and tries anew for the next follower', async () => {
  const { source, feed } = makeFeed()
  source.fails = true
  await expect(feed.follow(1, {}, () => {})).rejects.toThrow('away')
  source.fails = false
  await feed.follow(1, {}, () => {})
  expect(source.opened).toBe(1)
})

it('keeps no more than allowed, and says when it left something out', async () => {
  const text = textOf('a')
  const { source, feed } = makeFeed(2 * text.length)
  const seen = collect()
  await feed.follow(1, {}, seen.listener)
  source.take([text, textOf('b'), textOf('c'), textOf('d')], true)
  await expect.poll(seen.names).toEqual(['a', 'b'])
  expect(seen.parts.map(({ isComplete }) => isComplete)).toEqual([false, true])
  source.take([textOf('e')], true)
  await expect.poll(seen.names).toEqual(['a', 'b', 'e'])
  expect(seen.parts.at(-1)?.isComplete).toBe(true)
})

it('says that its source left something out, although nothing else has come', async () => {
  const { source, feed } = makeFeed()
  const seen = collect()
  await feed.follow(1, { event: 'none of them' }, seen.listener)
  source.take([], false)
  await expect.poll(() => seen.parts).toEqual([{ events: [], isComplete: false }])
})

it('goes on after a batch that cannot be read', async () => {
  const { source, feed } = makeFeed()
  const seen = collect()
  await feed.follow(1, {}, seen.listener)
  source.take(['', 'no batch', textOf('a')], true)
  await expect.poll(seen.names).toEqual(['a'])
})
