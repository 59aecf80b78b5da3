/** What every store of recordings must do for replay intake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../lib/time/time.ts'
import type { RecordingBlock, RecordingProgress } from '../../../model/recordings/recording.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { newRecording } from '../recording-builders.ts'
import { insertProject, insertRemovedProject, NOW } from '../sql-builders.ts'

const block = (index: number): RecordingBlock => ({
  index,
  blobKey: 'folder/0',
  offset: index * 10,
  length: 10,
  firstAt: NOW + index + 0.25,
  lastAt: NOW + index + 5,
  follows: index === 0 ? null : index - 1,
  fullSnapshots: index === 0 ? '' : '[["ä",1.25]]',
})
const PROGRESS: RecordingProgress = { activity: '[0,0,[],[]]', urls: [{ url: 'https://ä/', at: NOW }], storedBytes: 10 }
const A = '0a'.repeat(16)
const B = '0b'.repeat(16)
const C = '0c'.repeat(16)

export function recordingIntakeContract(engine: string, open: OpenSql): void {
  describe(`replay intake on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())
    const project = async () => (await insertProject(opened.stores)).id
    const begin = async (projectId: number, sessionId = 's') => {
      const recording = newRecording({ projectId, sessionId, expiresAt: NOW - DAY })
      await opened.stores.transaction(async (tx) => {
        await tx.recordings.create(recording, [block(0)])
        await tx.recordings.saveProgress(projectId, sessionId, PROGRESS)
      })
      return recording
    }

    it('returns the state of a recording, expired or not; nothing for a session without one', async () => {
      const projectId = await project()
      const recording = await begin(projectId)
      const kept = { personId: null, analyzed: false, sharedAt: null }
      expect(await opened.stores.recordings.standing(projectId, 's')).toEqual({
        recording: { ...recording, ...kept },
        progress: PROGRESS,
        lastBlock: block(0),
      })
      expect(await opened.stores.recordings.standing(projectId, 'other')).toBeNull()
      expect(await opened.stores.recordings.standing(await project(), 's')).toBeNull()
    })
    it('has no progress for a recording that was not created by intake', async () => {
      const projectId = await project()
      await opened.stores.transaction((tx) => tx.recordings.create(newRecording({ projectId, sessionId: 's' }), []))
      expect(await opened.stores.recordings.standing(projectId, 's')).toMatchObject({ progress: null, lastBlock: null })
    })
    it('grows by a block: only the fields of the block change', async () => {
      const projectId = await project()
      const recording = await begin(projectId)
      const growth = {
        startAt: NOW - 5.5,
        endAt: NOW + 100,
        activeMs: 77,
        counters: { clicks: 1, keypresses: 2, mouseActivity: 3, consoleLogs: 4, consoleWarns: 5, consoleErrors: 6 },
        startUrl: 'https://first/',
        totalSize: 2 ** 41,
        eventCount: 9,
        expiresAt: NOW + DAY,
        lastIngestAt: NOW + 1,
      }
      const progress = { activity: '[1,2,[3],[]]', urls: [], storedBytes: 20 }
      await opened.stores.transaction(async (tx) => {
        await tx.recordings.update(projectId, 's', { analyzed: true })
        await tx.recordings.grow(projectId, 's', block(1), growth)
        await tx.recordings.saveProgress(projectId, 's', progress)
      })
      const kept = { personId: null, analyzed: true, sharedAt: null }
      expect(await opened.stores.recordings.standing(projectId, 's')).toEqual({
        recording: { ...recording, ...kept, ...growth },
        progress,
        lastBlock: block(1),
      })
      expect(await opened.stores.recordings.blocks(projectId, 's')).toEqual([block(0), block(1)])
    })
    it('refuses a block whose index is taken, and one of a recording that is not there', async () => {
      const projectId = await project()
      const recording = await begin(projectId)
      const grow = (sessionId: string, index: number) =>
        opened.stores.transaction((tx) => tx.recordings.grow(projectId, sessionId, block(index), recording))
      expect(await grow('s', 0)).toBe(false)
      expect(await grow('other', 1)).toBe(false)
      expect(await opened.stores.recordings.blocks(projectId, 's')).toEqual([block(0)])
      expect(await grow('s', 1)).toBe(true)
    })
    it('records snapshots once, for each recording by itself', async () => {
      const projectId = await project()
      await begin(projectId)
      await begin(projectId, 'other')
      const note = (ids: string[], sessionId = 's') =>
        opened.stores.transaction((tx) => tx.recordings.noteSnapshots(projectId, sessionId, ids))
      expect(await note([A, B])).toBe(true)
      expect(await note([C, B])).toBe(false)
      expect(await note([A], 'other')).toBe(true)
      const known = await opened.stores.recordings.knownSnapshots(projectId, 's', [B, '0d'.repeat(16), A])
      expect([...known].sort()).toEqual([A, B])
      expect(await opened.stores.recordings.knownSnapshots(projectId, 's', [])).toEqual(new Set())
    })
    it('sums the bytes of a project, and of no other', async () => {
      const [one, two] = [await project(), await project()]
      expect(await opened.stores.recordings.storedBytes(one)).toBe(0)
      await begin(one, 'a')
      await begin(one, 'b')
      await begin(two)
      expect(await opened.stores.recordings.storedBytes(one)).toBe(20)
    })
    it('keeps drafts until they are removed, with the instant of when they were first added', async () => {
      const projectId = await project()
      const { recordings, transaction } = opened.stores
      const mine = async (before: number) =>
        (await recordings.drafts(before, 1_000)).filter((draft) => draft.projectId === projectId)
      const [a, b] = ['a/0', 'a/1'].map((blobKey, place) => ({ projectId, blobKey, begunAt: NOW + place }))
      await transaction(async (tx) => {
        for (const draft of [a, b, a]) if (draft) await tx.recordings.addDraft({ ...draft })
        if (a) await tx.recordings.addDraft({ ...a, begunAt: NOW + 9 })
      })
      expect(await mine(NOW)).toEqual([])
      expect(await mine(NOW + 1)).toEqual([a])
      expect((await mine(NOW + 2)).length).toBe(2)
      const removed = (blobKey: string) => transaction((tx) => tx.recordings.removeDraft({ projectId, blobKey }))
      expect([await removed('a/0'), await removed('a/0'), await removed('never')]).toEqual([true, false, false])
      expect(await mine(NOW + 2)).toEqual([b])
    })
    it('removes everything of a deleted recording, and of a project that is removed', async () => {
      const projectId = await project()
      await begin(projectId)
      await opened.stores.transaction((tx) => tx.recordings.noteSnapshots(projectId, 's', [A]))
      await opened.stores.transaction((tx) =>
        tx.recordings.replaceByTombstone(projectId, ['s'], { userId: null, at: NOW }),
      )
      expect(await opened.stores.recordings.storedBytes(projectId)).toBe(0)
      expect(await opened.stores.recordings.knownSnapshots(projectId, 's', [A])).toEqual(new Set())
      await begin(projectId, 't')
      await opened.stores.transaction(async (tx) => {
        await tx.recordings.noteSnapshots(projectId, 't', [A])
        await tx.recordings.addDraft({ projectId, blobKey: 'u/0', begunAt: NOW })
      })
      await insertRemovedProject(opened.stores, projectId)
      expect(await opened.stores.recordings.standing(projectId, 't')).toBeNull()
      expect(await opened.stores.recordings.storedBytes(projectId)).toBe(0)
      const drafts = await opened.stores.recordings.drafts(Number.MAX_SAFE_INTEGER, 1_000)
      expect(drafts.some((draft) => draft.projectId === projectId)).toBe(false)
    })
  })
}
