/** The contract of the outbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { ClaimRequest, NewParkedBatch } from '../../../model/events/outbox.ts'
import { readContent } from '../../outbox/batch-text.ts'
import { makeBatch, makeEvent, NOON } from '../batch-builders.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'

export function outboxContract(engine: string, open: OpenSql): void {
  describe(`the outbox on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    /** Adds a batch of one event of that name; returns its id. */
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

    it('returns the oldest first, and again as long as they are not removed', async () => {
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
      const lowestSeq = (await opened.stores.outbox.peek(1))[0]?.seq
      expect(await opened.stores.outbox.backlog()).toEqual({ length: 1, again: 0, oldestAt: NOON, lowestSeq })
    })

    it('never shows what a transaction rolled back', async () => {
      await expect(add('a', true)).rejects.toThrow('taken back')
      const b = await add('b')
      expect(await peeked()).toEqual([[b, 'b']])
    })

    describe('a parked batch', () => {
      const refused = (given: Partial<NewParkedBatch> = {}): NewParkedBatch => ({
        id: uuidV7(NOON),
        projectId: 1,
        text: makeBatch(1, { events: [makeEvent(1, { event: 'refused' })] }).text,
        events: 1,
        changes: 0,
        error: 'no',
        ...given,
      })
      const park = (id: string, batches: NewParkedBatch[], now = NOON) =>
        opened.stores.transaction((tx) => tx.outbox.park(id, batches, now))
      const unpark = (id: string) => opened.stores.transaction((tx) => tx.outbox.unpark(id, NOON + 9))

      it('replaces its row, and is neither pending nor returned nor counted as waiting', async () => {
        const [a, b] = [await add('a'), await add('b')]
        const batches = [refused(), refused({ projectId: 2, error: 'never' })]
        await park(a, batches, NOON + 5)
        expect([await opened.stores.outbox.pending(), await peeked()]).toEqual([[b], [[b, 'b']]])
        expect(await opened.stores.outbox.backlog()).toMatchObject({ length: 1, oldestAt: NOON })
        const { count, items } = await opened.stores.outbox.parked({ limit: 1, offset: 0 })
        expect([count, items]).toMatchObject([
          2,
          [{ id: batches[1]?.id, projectId: 2, error: 'never', events: 1, parkedAt: NOON + 5, createdAt: NOON }],
        ])
        const counts = [1, 2, 3].map((project) => opened.stores.outbox.parkedCount(project))
        expect(await Promise.all([opened.stores.outbox.parkedCount(), ...counts])).toEqual([2, 1, 1, 0])
      })

      it('comes back as a row like any other, with its own seq', async () => {
        await add('a')
        const b = await add('b')
        const [, before] = await opened.stores.outbox.peek(2)
        const batch = refused()
        await park(b, [batch])
        expect([await unpark(batch.id), await unpark(batch.id)]).toEqual([true, false])
        const row = (await opened.stores.outbox.peek(9)).find(({ id }) => id === batch.id)
        expect(row).toEqual({ id: batch.id, seq: before?.seq, text: batch.text })
        expect(await opened.stores.outbox.parkedCount()).toBe(0)
      })

      it('is not created from a row that is gone, and each move is counted', async () => {
        const version = () => opened.stores.outbox.parkedVersion()
        const [id, first] = [await add('a'), await version()]
        const batch = refused()
        await park(id, [batch])
        await park(id, [refused()])
        const second = await version()
        await unpark(batch.id)
        expect([await opened.stores.outbox.parkedCount(), second > first, (await version()) > second]).toEqual([
          0,
          true,
          true,
        ])
      })

      it('counts for every project when it cannot be read, and keeps the bytes of its row', async () => {
        const id = await add('a')
        await park(id, [refused({ projectId: null, text: null })])
        expect(await opened.stores.outbox.parkedCount(7)).toBe(1)
        const texts = await opened.stores.transaction((tx) =>
          tx.outbox.parkedTexts({ projectId: 7, after: '', limit: 5 }),
        )
        expect(readContent(texts[0]?.text ?? '').events).toMatchObject([{ event: 'a' }])
      })

      it('gets new content, or is removed', async () => {
        const [one, two] = [refused(), refused()]
        await park(await add('a'), [one, two])
        const text = makeBatch(1, { events: [makeEvent(1, { event: 'rest' })] }).text
        await opened.stores.transaction(async (tx) => {
          await tx.outbox.rewriteParked(one.id, { text, events: 1, changes: 0, error: 'other' })
          await tx.outbox.removeParked([two.id])
        })
        expect((await opened.stores.outbox.parked({ limit: 9, offset: 0 })).items).toMatchObject([{ error: 'other' }])
        await unpark(one.id)
        expect(await peeked()).toEqual([[one.id, 'rest']])
      })
    })

    it('returns what comes after an id, and which rows are applied in parts', async () => {
      const [a, b, c] = [await add('a'), await add('b'), await add('c')]
      await opened.stores.transaction((tx) => tx.outbox.beginParts(b))
      const rows = await opened.stores.outbox.peek(9, a)
      expect(rows.map(({ id, inParts }) => [id, inParts])).toEqual([
        [b, true],
        [c, undefined],
      ])
    })

    describe('a claim', () => {
      const MINUTE = 60_000
      const request = { now: NOON, until: NOON + MINUTE, rows: 10, bytes: 1_000_000 }
      const claim = (given: Partial<ClaimRequest> = {}) =>
        opened.stores.queueTransaction((tx) => tx.outbox.claim({ ...request, ...given }))
      const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

      it('takes the oldest rows, which nobody else gets until its time is over', async () => {
        const [a, b, c] = [await add('a'), await add('b'), await add('c')]
        const first = await claim({ rows: 2 })
        expect(ids(first)).toEqual([a, b])
        expect(new Set(first.map(({ claim: { shipment } }) => shipment)).size).toBe(1)
        expect(first.map(({ claim: { attempt, sentAt } }) => [attempt, sentAt])).toEqual([
          [1, null],
          [1, null],
        ])
        expect(ids(await claim())).toEqual([c])
        expect(await claim({ now: NOON + MINUTE - 1 })).toEqual([])
        expect(await opened.stores.outbox.pending()).toHaveLength(3)
      })

      it('of several at once takes no row twice', async () => {
        const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => add(name)))
        const taken = await Promise.all([1, 2, 3, 4].map(() => claim({ rows: 2 })))
        expect(taken.flatMap(ids)).toHaveLength(new Set(taken.flatMap(ids)).size)
        const rest = await claim()
        expect([...taken.flatMap(ids), ...ids(rest)].sort()).toEqual(all.sort())
      })

      it('has the rows of one that did not end all together again, under the same name', async () => {
        const [a, b] = [await add('a'), await add('b')]
        const [{ claim: before } = { claim: null }] = await claim()
        const c = await add('c')
        const later = NOON + MINUTE
        const again = await claim({ now: later, until: later + MINUTE, rows: 1 })
        expect(ids(again)).toEqual([a, b])
        expect(again[0]?.claim).toEqual({ ...before, attempt: 2 })
        expect(ids(await claim({ now: later }))).toEqual([c])
      })

      it('gives rows back, from an instant on', async () => {
        const a = await add('a')
        await claim()
        const giveBack = (attempt: number, from: number) =>
          opened.stores.queueTransaction((tx) => tx.outbox.giveBack({ ids: [a], attempt }, from))
        await giveBack(1, NOON + 5)
        expect(await claim({ now: NOON + 4 })).toEqual([])
        expect(ids(await claim({ now: NOON + 5 }))).toEqual([a])
        // Somebody else's by now.
        await giveBack(1, NOON + 6)
        expect(await claim({ now: NOON + 7 })).toEqual([])
      })

      it('is held for longer, and says when it was, until another has taken or applied one of its rows', async () => {
        const [a, b] = [await add('a'), await add('b')]
        await claim()
        const hold = (attempt: number, now: number, rows = [a, b]) =>
          opened.stores.queueTransaction((tx) => tx.outbox.hold({ ids: rows, attempt }, { now, until: now + MINUTE }))
        expect(await hold(1, NOON + 10)).toBe(true)
        expect(await claim({ now: NOON + MINUTE + 9 })).toEqual([])
        // Late, but nobody came.
        expect(await hold(1, NOON + 2 * MINUTE)).toBe(true)
        const later = NOON + 3 * MINUTE
        const again = await claim({ now: later, until: later + MINUTE })
        expect(again.map(({ claim: { attempt, sentAt } }) => [attempt, sentAt])).toEqual([
          [2, NOON + 2 * MINUTE],
          [2, NOON + 2 * MINUTE],
        ])
        expect([await hold(1, later + 1), await hold(2, later + 2)]).toEqual([false, true])
        await opened.stores.queueTransaction((tx) => tx.outbox.markApplied([a], later + 3))
        expect([await hold(2, later + 4), await hold(2, later + 4, [b])]).toEqual([false, true])
        await opened.stores.relaxed((tx) => tx.outbox.remove([b]))
        expect([await hold(2, later + 5, [b]), await hold(2, later + 5, [])]).toEqual([false, true])
      })

      it('is no larger than asked for, but for a row that is larger itself', async () => {
        const [a, b] = [await add('a'), await add('b')]
        expect(ids(await claim({ bytes: 1 }))).toEqual([a])
        expect(ids(await claim({ bytes: 1 }))).toEqual([b])
      })

      it('is read with its content, except for rows that are gone', async () => {
        const [a, b] = [await add('a'), await add('b')]
        const rows = await claim()
        await opened.stores.relaxed((tx) => tx.outbox.remove([a]))
        const read = await opened.stores.outbox.read(rows)
        expect(read).toMatchObject([{ id: b, claim: { attempt: 1 } }])
        expect(readContent(read[0]?.text ?? '').events).toMatchObject([{ event: 'b' }])
      })

      it('that was applied no longer waits, and is kept until it is removed', async () => {
        const [a, b] = [await add('a'), await add('b')]
        await claim()
        await opened.stores.queueTransaction((tx) => tx.outbox.markApplied([a], NOON + 1))
        expect([await opened.stores.outbox.pending(), await peeked()]).toEqual([[b], [[b, 'b']]])
        const lowestSeq = (await opened.stores.outbox.peek(1))[0]?.seq
        expect(await opened.stores.outbox.backlog()).toEqual({ length: 1, again: 0, oldestAt: NOON, lowestSeq })
        expect(await claim({ now: NOON + MINUTE + 1 })).toMatchObject([{ id: b }])
        const again = () => opened.stores.queueTransaction((tx) => tx.outbox.applyAgain(true))
        expect([await again(), await again()]).toEqual([1, 0])
        expect((await opened.stores.outbox.pending()).sort()).toEqual([a, b])
        expect(await opened.stores.outbox.backlog()).toMatchObject({ length: 2, again: 1 })
        expect(await claim({ now: NOON + 2 * MINUTE + 1 })).toMatchObject([
          { id: a, claim: { attempt: 3 } },
          { id: b, claim: { attempt: 3 } },
        ])
        await opened.stores.queueTransaction((tx) => tx.outbox.markApplied([a], NOON + 2))
        expect(await opened.stores.outbox.backlog()).toMatchObject({ length: 1, again: 0 })
      })

      it('that was applied is claimed again with those that it was claimed with, or with all others', async () => {
        const rows: string[] = []
        for (const text of ['a', 'b', 'c']) {
          rows.push(await add(text))
          const [row] = await claim()
          const held = { ids: [row?.id ?? ''], attempt: row?.claim.attempt ?? 0 }
          const times = { now: NOON + 1, until: NOON + MINUTE }
          expect(await opened.stores.queueTransaction((tx) => tx.outbox.hold(held, times))).toBe(true)
        }
        const applyAgain = async (keepShipments: boolean) => {
          await opened.stores.queueTransaction((tx) => tx.outbox.markApplied(rows, NOON + 2))
          expect(await opened.stores.queueTransaction((tx) => tx.outbox.applyAgain(keepShipments))).toBe(3)
        }
        await applyAgain(true)
        expect(ids(await claim({ now: NOON + 3 }))).toEqual(rows.slice(0, 1))
        await applyAgain(false)
        const all = await claim({ now: NOON + 4 })
        expect(ids(all)).toEqual(rows)
        expect(new Set(all.map((row) => row.claim.shipment)).size).toBe(1)
        // They may be stored already.
        expect(all.map((row) => row.claim.sentAt)).toEqual([NOON + 1, NOON + 1, NOON + 1])
      })

      it('that was applied is removed in portions, and the installation knows how far that came', async () => {
        const all = [await add('a'), await add('b'), await add('c')]
        await claim()
        await opened.stores.queueTransaction((tx) => tx.outbox.markApplied(all, NOON + 1))
        const { handedSeq: before } = await opened.stores.installation.find()
        const remove = (appliedBefore: number, limit: number) =>
          opened.stores.queueTransaction((tx) => tx.outbox.removeApplied(appliedBefore, limit))
        expect([await remove(NOON + 1, 2), await remove(NOON + 2, 2), await remove(NOON + 2, 2)]).toEqual([0, 2, 1])
        const { handedSeq, lastSeq } = await opened.stores.installation.find()
        expect([handedSeq > before, handedSeq]).toEqual([true, lastSeq])
      })
    })

    it('numbers changes without a gap that could hide one', async () => {
      await add('a')
      const [first] = await opened.stores.outbox.peek(1)
      await add('b')
      expect((await opened.stores.outbox.peek(2)).map(({ seq }) => seq)).toEqual([first?.seq, (first?.seq ?? 0) + 1])
    })
  })
}
