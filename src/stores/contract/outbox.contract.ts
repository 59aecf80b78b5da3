/** The contract of the outbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import type { SqlStores } from '../../model/stores.ts'
import { readContent } from '../outbox-text.ts'
import { makeEvent, NOON } from './event-batch.contract.ts'
import type { OpenedSql, OpenSql } from './open-sql.ts'

export function outboxContract(name: string, open: OpenSql): void {
  describe(`outbox: ${name}`, () => {
    let opened: OpenedSql
    let stores: SqlStores
    beforeEach(async () => {
      opened = await open()
      stores = opened.stores
    })
    afterEach(() => opened.end())

    /** Adds a batch of one event of that name; gives its id. */
    const add = (event: string, fails = false): Promise<string> =>
      stores.transaction(async (tx) => {
        const id = uuidV7(NOON)
        const seq = await tx.outbox.nextSeq()
        await tx.outbox.add({ id, seq, events: [makeEvent(1, { event })], persons: [], distinctIds: [] }, NOON)
        if (fails) throw new Error('taken back')
        return id
      })
    const peeked = async (limit = 10) =>
      (await stores.outbox.peek(limit)).map(({ id, text }) => [id, readContent(text).events[0]?.event])

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
      await stores.relaxed((tx) => tx.outbox.remove([a, c]))
      expect(await peeked()).toEqual([[b, 'b']])
      expect(await stores.outbox.pending()).toEqual([b])
      expect(await stores.outbox.backlog()).toEqual({ length: 1, oldestAt: NOON })
    })

    it('never shows what a transaction took back', async () => {
      await expect(add('a', true)).rejects.toThrow('taken back')
      const b = await add('b')
      expect(await peeked()).toEqual([[b, 'b']])
    })

    it('numbers changes without a gap that could hide one', async () => {
      await add('a')
      const [first] = await stores.outbox.peek(1)
      await add('b')
      expect((await stores.outbox.peek(2)).map(({ seq }) => seq)).toEqual([first?.seq, (first?.seq ?? 0) + 1])
    })
  })
}
