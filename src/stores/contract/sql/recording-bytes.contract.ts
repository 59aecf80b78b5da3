/** What every store of recordings must do for the work on their bytes: where they are, and that they have moved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeKey } from '../../../model/blob.ts'
import type { RecordingBlock } from '../../../model/recordings/recording.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { newRecording } from '../recording-builders.ts'
import { insertProject, NOW } from '../sql-builders.ts'

const block = (index: number, blobKey: string): RecordingBlock => ({
  index,
  blobKey,
  offset: index * 10,
  length: 10,
  firstAt: NOW,
  lastAt: NOW + 5,
  follows: null,
  fullSnapshots: '[["w",1]]',
})

interface Given {
  startAt?: number
  lastIngestAt?: number
  keys?: string[]
}

const WHOLE = wholeKey('0')
const SINCE = { startFrom: NOW - 100, quietSince: NOW }

export function recordingBytesContract(engine: string, open: OpenSql): void {
  describe(`bytes of recordings on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())
    const project = async () => (await insertProject(opened.stores)).id
    const insert = (projectId: number, sessionId: string, { keys = ['a', 'a'], ...given }: Given = {}) =>
      opened.stores.transaction((tx) =>
        tx.recordings.create(
          newRecording({ projectId, sessionId, ...given }),
          keys.map((key, index) => block(index, key)),
        ),
      )
    const reader = () => opened.stores.recordings

    it('returns the places of all blocks of a project in portions, by session id and index', async () => {
      const projectId = await project()
      await insert(await project(), 'other')
      for (const sessionId of ['b', 'a-b', 'B', 'a', 'a0'])
        await insert(projectId, sessionId, { keys: ['k', 'k', 'l'] })
      const expected = ['B', 'a', 'a-b', 'a0', 'b'].flatMap((sessionId) =>
        ['k', 'k', 'l'].map((blobKey, index) => ({ sessionId, index, blobKey, offset: index * 10, length: 10 })),
      )
      for (const limit of [1, 4, 15, 100]) {
        const met = []
        let portion = await reader().blockPlaces(projectId, null, limit)
        while (portion.length > 0) {
          expect(portion.length).toBeLessThanOrEqual(limit)
          met.push(...portion)
          portion = await reader().blockPlaces(projectId, portion.at(-1) ?? null, limit)
        }
        expect(met).toEqual(expected)
      }
    })

    it('finds what may be joined: several blocks, the last not in a whole blob, quiet, of a late start', async () => {
      const projectId = await project()
      await insert(await project(), 'other')
      await insert(projectId, 'two', { startAt: NOW - 3 })
      await insert(projectId, 'grown', { startAt: NOW - 1, keys: [WHOLE, WHOLE, 'a'] })
      await insert(projectId, 'at-the-limits', { startAt: NOW - 100, lastIngestAt: NOW })
      await insert(projectId, 'one', { keys: ['a'] })
      await insert(projectId, 'none', { keys: [] })
      await insert(projectId, 'joined', { keys: [WHOLE, WHOLE] })
      await insert(projectId, 'loud', { lastIngestAt: NOW + 1 })
      await insert(projectId, 'old', { startAt: NOW - 101 })
      const expected = ['at-the-limits', 'two', 'grown']
      expect(await reader().scattered(projectId, SINCE, null, 100)).toEqual({ sessionIds: expected, next: null })
      for (const limit of [1, 2, 7]) {
        const met = []
        let found = await reader().scattered(projectId, SINCE, null, limit)
        met.push(...found.sessionIds)
        while (found.next !== null) {
          found = await reader().scattered(projectId, SINCE, found.next, limit)
          met.push(...found.sessionIds)
        }
        expect(met).toEqual(expected)
      }
    })

    it('moves blocks that are where they were, and says when one is not', async () => {
      const projectId = await project()
      await insert(projectId, 's', { keys: ['a', 'a', 'b'] })
      const [first, second, third] = (await reader().blocks(projectId, 's')) as [
        RecordingBlock,
        RecordingBlock,
        RecordingBlock,
      ]
      const move = (moves: RecordingBlock[], sessionId = 's') =>
        opened.stores.transaction((tx) =>
          tx.recordings.moveBlocks(
            projectId,
            sessionId,
            moves.map((from, i) => ({ from, to: { blobKey: WHOLE, offset: i * 10 } })),
          ),
        )
      expect(await move([first, third])).toBe(true)
      const moved = [{ ...first, blobKey: WHOLE, offset: 0 }, second, { ...third, blobKey: WHOLE, offset: 10 }]
      expect(await reader().blocks(projectId, 's')).toEqual(moved)
      expect(await move([first])).toBe(false)
      expect(await move([{ ...second, offset: second.offset + 1 }])).toBe(false)
      expect(await move([{ ...second, index: 9 }])).toBe(false)
      expect(await move([second], 'gone')).toBe(false)
      expect(await reader().blocks(projectId, 's')).toEqual(moved)
    })
  })
}
