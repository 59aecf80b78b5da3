/** The contract of the outbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import { readContent } from '../outbox-text.ts'
import { makeEvent, NOON } from './made-batch.ts'
import type { OpenedSql, OpenSql } from './open-sql.ts'

export function outboxContract(engine: string, open: OpenSql): void {
  describe(`the outbox on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    /** Adds a batch of one event of that name; gives its id. */
    const add = (event: string, fails = false): Promise<string> =>
      opened.stores.transaction(async (tx) => {
        const id = uuidV7(NOON)
        const seq = await tx.outbox.nextSeq()
        await tx.outbox.add({ id, seq, events: [makeEvent(1, { event })], persons: [], distinctIds: [] }, NOON)
        if (fails) throw new Error('taken back')
        return id
      })
    const peeked = async (limit = 10) =>
      (await opened.stores.outbox.peek(limit)).map(({ id, text }) => [id, readContent(text).events[0]?.event])

    it('gives out the oldest first, and again as long as they are not removed', async () => {
      const [a, b, c] = [await add('a'), await add('b'), await add('c')]
      expect(await peeked(2)).toEqual([
        [a, 'a'],
        [b, 'b'],
      ])
      expect(await peeked()).toEqual([
        [a, 'a'],
        [b, 'b'],
        [c, 'c'],
      ])
      await opened.stores.relaxed((tx) => tx.outbox.remove([a, c]))
      expect(await peeked()).toEqual([[b, 'b']])
      expect(await opened.stores.outbox.pending()).toEqual([b])
      expect(await opened.stores.outbox.backlog()).toEqual({ length: 1, oldestAt: NOON })
    })

    it('never shows what a transaction took back', async () => {
      await expect(add('a', true)).rejects.toThrow('taken back')
      const b = await add('b')
      expect(await peeked()).toEqual([[b, 'b']])
    })

    it('numbers changes without a gap that could hide one', async () => {
      await add('a')
      const [first] = await opened.stores.outbox.peek(1)
      await add('b')
      expect((await opened.stores.outbox.peek(2)).map(({ seq }) => seq)).toEqual([first?.seq, (first?.seq ?? 0) + 1])
    })
  })
}
