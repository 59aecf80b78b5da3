/** What those who follow the outbox of a SQL store get to see: every event that is committed, by whichever process, once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import type { LiveFilter, LivePart } from '../../model/events/live-events.ts'
import { LiveFeed } from '../live/live-feed.ts'
import { polledOutbox } from '../live/outbox-poll.ts'
import { makeEvent, NOON } from './batch-builders.ts'
import type { OpenedSql, OpenSql } from './open-sql.ts'

export function liveEventContract(engine: string, open: OpenSql): void {
  describe(`events as they are committed, on ${engine}`, () => {
    let opened: OpenedSql
    let feed: LiveFeed
    const ending: (() => void)[] = []
    beforeEach(async () => {
      opened = await open()
      const failed = (error: unknown) => expect(error).toBeUndefined()
      feed = new LiveFeed(polledOutbox({ outbox: opened.stores.outbox, failed, pauseMs: 1 }))
    })
    afterEach(async () => {
      for (const end of ending.splice(0)) end()
      await opened.end()
    })

    /** Commits a batch of these names; returns its id. */
    const add = (names: string[], projectId = 1, before = async () => {}): Promise<string> =>
      opened.stores.peopleTransaction([projectId], async (tx) => {
        const [id, seq] = [uuidV7(NOON), await tx.outbox.nextSeq()]
        const events = names.map((event) => makeEvent(projectId, { event }))
        await tx.outbox.add({ id, seq, events, persons: [], distinctIds: [] }, NOON)
        await before()
        return id
      })
    /** The names that a follower has seen, and whether any were left out. */
    async function follow(filter: LiveFilter = {}, projectId = 1) {
      const seen = { names: [] as string[], isComplete: true }
      const listener = ({ events, isComplete }: LivePart) => {
        seen.names.push(...events.map(({ event }) => event))
        seen.isComplete &&= isComplete
      }
      ending.push(await feed.follow(projectId, filter, listener))
      return seen
    }

    it('shows what is committed from now on, in order, each once', async () => {
      await add(['before'])
      const seen = await follow()
      await add(['a', 'b'])
      await add(['c'])
      await expect.poll(() => seen.names).toEqual(['a', 'b', 'c'])
      await add(['d'])
      await expect.poll(() => seen).toEqual({ names: ['a', 'b', 'c', 'd'], isComplete: true })
    })

    it('shows each follower the events of its project that match', async () => {
      const [all, some, other] = [await follow(), await follow({ event: 'b' }), await follow({}, 2)]
      await add(['a', 'b'])
      await add(['c'], 2)
      await expect.poll(() => [all.names, some.names, other.names]).toEqual([['a', 'b'], ['b'], ['c']])
    })

    it('shows a transaction that ends after others with a greater number', async () => {
      const seen = await follow()
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let hasAdded = () => {}
      const added = new Promise<void>((resolve) => {
        hasAdded = resolve
      })
      const late = add(['late'], 1, () => {
        hasAdded()
        return opened.writers === 'many' ? released : Promise.resolve()
      })
      await added
      await add(['quick'])
      await expect.poll(() => seen.names).toContain('quick')
      await add(['next'])
      await expect.poll(() => seen.names).toContain('next')
      release()
      await late
      await expect.poll(() => [...seen.names].sort()).toEqual(['late', 'next', 'quick'])
      await add(['last'])
      await expect.poll(() => seen.names.at(-1)).toBe('last')
      expect(seen.names).toHaveLength(4)
    })

    it('does not show what was rolled back, nor what is kept, or comes back, for the event store', async () => {
      const seen = await follow()
      const failing = add(['never'], 1, async () => {
        throw new Error('taken back')
      })
      await expect(failing).rejects.toThrow('taken back')
      const id = await add(['once'])
      await opened.stores.queueTransaction((tx) => tx.outbox.markApplied([id], NOON))
      await expect.poll(() => seen.names).toEqual(['once'])
      await opened.stores.queueTransaction((tx) => tx.outbox.applyAgain(false))
      await add(['then'])
      await expect.poll(() => seen.names).toEqual(['once', 'then'])
    })

    it('shows what another has handed on to the event store before it was looked at', async () => {
      const seen = await follow()
      const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => add([`event ${n}`])))
      await opened.stores.queueTransaction((tx) => tx.outbox.markApplied(ids, NOON))
      await expect.poll(() => new Set(seen.names).size).toBe(20)
      expect(seen).toMatchObject({ names: { length: 20 }, isComplete: true })
    })

    it('has the newest rows after a number, with their sizes, and their texts as long as they are there', async () => {
      const { outbox } = opened.stores
      const { settled } = await outbox.addedSince(0, 10)
      const [a, b, c] = [await add(['a']), await add(['b']), await add(['c'])]
      await opened.stores.queueTransaction((tx) => tx.outbox.markApplied([b], NOON))
      const { rows, settled: now } = await outbox.addedSince(settled, 10)
      expect(rows.map(({ id }) => id)).toEqual([a, b, c])
      expect([now, rows.every(({ bytes }) => bytes > 0)]).toEqual([rows.at(-1)?.seq, true])
      expect((await outbox.addedSince(settled, 2)).rows).toEqual(rows.slice(1))
      expect((await outbox.addedSince(now, 10)).rows).toEqual([])
      await opened.stores.relaxed((tx) => tx.outbox.remove([a]))
      expect([...(await outbox.textsOf([a, b])).keys()]).toEqual([b])
    })
  })
}
