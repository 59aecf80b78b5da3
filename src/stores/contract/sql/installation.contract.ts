import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { newRecording } from '../recording-builders.ts'
import { insertProject, NOW } from '../sql-builders.ts'

export function installationContract(engine: string, open: OpenSql): void {
  describe(`the installation on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    const found = () => opened.stores.installation.find()
    const add = () =>
      opened.stores.transaction(async (tx) => {
        const seq = await tx.outbox.nextSeq()
        const id = randomUUID()
        await tx.outbox.add({ id, seq, events: [], persons: [], distinctIds: [] }, NOW)
        return id
      })

    it('has an id of its own and no progress', async () => {
      const other = await open()
      const { id, ...rest } = await found()
      expect(rest).toEqual({ isStamped: false, lastSeq: 0, handedSeq: 0, starts: 0, blobsLostUntil: 0 })
      expect((await found()).id).toBe(id)
      expect((await other.stores.installation.find()).id).not.toBe(id)
      await other.end()
    })

    it('knows how many changes there were, and up to which seq they have left the outbox', async () => {
      const ids = [await add(), await add(), await add()]
      expect(await found()).toMatchObject({ lastSeq: 3, handedSeq: 0 })
      await opened.stores.relaxed((tx) => tx.outbox.remove([ids[1] ?? '']))
      await opened.stores.relaxed((tx) => tx.outbox.remove([ids[0] ?? '', randomUUID()]))
      await opened.stores.relaxed((tx) => tx.outbox.remove([]))
      expect(await found()).toMatchObject({ lastSeq: 3, handedSeq: 2 })
    })

    it('counts starts, and skips numbers that another store has seen', async () => {
      await opened.stores.transaction(async (tx) => {
        await tx.installation.stamped(7)
        await tx.installation.raiseSeq(40)
        await tx.installation.raiseSeq(30)
        await tx.installation.acceptLostBlobs(NOW)
        await tx.installation.acceptLostBlobs(NOW - 1)
      })
      expect(await found()).toMatchObject({ isStamped: true, starts: 7, lastSeq: 40, blobsLostUntil: NOW })
      expect(await opened.stores.transaction((tx) => tx.outbox.nextSeq())).toBe(41)
    })

    it('finds the last block of each recording that grew most recently', async () => {
      const projectId = (await insertProject(opened.stores)).id
      const block = (blobKey: string, index: number) => ({
        index,
        blobKey,
        offset: index * 10,
        length: 10,
        firstAt: NOW,
        lastAt: NOW,
        follows: null,
        fullSnapshots: '',
      })
      const recordings = [
        { sessionId: 'a', lastIngestAt: NOW + 1, blocks: [block('a', 0), block('a', 1)] },
        { sessionId: 'b', lastIngestAt: NOW + 3, blocks: [block('b', 0)] },
        { sessionId: 'c', lastIngestAt: NOW + 2, blocks: [block('c', 0)] },
        { sessionId: 'without-bytes', lastIngestAt: NOW + 9, blocks: [] },
      ]
      for (const { blocks, ...input } of recordings) {
        await opened.stores.transaction((tx) => tx.recordings.create(newRecording({ projectId, ...input }), blocks))
      }
      const { newestBlocks } = opened.stores.installation
      const b = { sessionId: 'b', blobKey: 'b', offset: 0, length: 10, lastIngestAt: NOW + 3 }
      const c = { sessionId: 'c', blobKey: 'c', offset: 0, length: 10, lastIngestAt: NOW + 2 }
      const a = { sessionId: 'a', blobKey: 'a', offset: 10, length: 10, lastIngestAt: NOW + 1 }
      expect(await newestBlocks(0, 9)).toEqual([b, c, a])
      expect(await newestBlocks(0, 2)).toEqual([b, c])
      expect(await newestBlocks(NOW + 2, 9)).toEqual([b])
      await opened.stores.transaction((tx) => tx.projects.markRemoved(projectId, NOW))
      expect(await newestBlocks(0, 9)).toEqual([])
    })
  })
}
