/** What every store of recordings must do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../lib/time/time.ts'
import type { RecordingCondition, RecordingFilter, RecordingOrder } from '../../../model/recordings/recording.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { EVERYTHING, insertRecording, newRecording } from '../recording-builders.ts'
import { insertProject, insertRemovedProject, NOW } from '../sql-builders.ts'

const ALL = { limit: 100, offset: 0 }
const NONE = { clicks: 0, keypresses: 0, mouseActivity: 0, consoleLogs: 0, consoleWarns: 0, consoleErrors: 0 }

export function recordingContract(engine: string, open: OpenSql): void {
  describe(`recordings on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const project = async () => (await insertProject(opened.stores)).id
    const listed = async (projectId: number, filter: Partial<RecordingFilter> = {}, page = ALL, now = NOW) => {
      const whole = { ...EVERYTHING, ...filter }
      const rows = await opened.stores.recordings.list(projectId, whole, page, now)
      return rows.map((row) => row.sessionId)
    }
    const where = (...of: RecordingCondition[]) => ({ conditions: { join: 'AND' as const, of } })
    const make = async (
      projectId: number,
      sessionId: string,
      input: Partial<Parameters<typeof newRecording>[0]> = {},
    ) => insertRecording(opened.stores, { ...input, projectId, sessionId })

    describe('creating', () => {
      it('keeps every field and the blocks in their order', async () => {
        const projectId = await project()
        const recording = newRecording({
          projectId,
          startAt: NOW + 0.123,
          endAt: NOW + 90_000.456,
          counters: { clicks: 1, keypresses: 2, mouseActivity: 3, consoleLogs: 4, consoleWarns: 5, consoleErrors: 6 },
          startUrl: 'https://example.com/?q=ä',
          snapshotSource: 'mobile',
          snapshotLibrary: 'posthog-ios',
          totalSize: 2 ** 40,
          eventCount: 7,
        })
        const blocks = [1, 0].map((index) => ({
          index,
          blobKey: `${projectId}/recordings/x/data`,
          offset: index * 100,
          length: 100,
          firstAt: NOW + index,
          lastAt: NOW + index + 0.5,
          follows: index === 0 ? null : 0,
          fullSnapshots: index === 0 ? null : `[["ä",${NOW}]]`,
        }))
        expect(await opened.stores.transaction((tx) => tx.recordings.create(recording, blocks))).toBe(true)
        expect(await opened.stores.recordings.find(projectId, recording.sessionId, NOW)).toEqual({
          ...recording,
          personId: null,
          analyzed: false,
          sharedAt: null,
        })
        const [second, first] = blocks
        expect(await opened.stores.recordings.blocks(projectId, recording.sessionId)).toEqual([first, second])
      })
      it('refuses a session that has a recording, and changes nothing', async () => {
        const projectId = await project()
        await make(projectId, 's', { startUrl: 'first' })
        const again = newRecording({ projectId, sessionId: 's', startUrl: 'second' })
        expect(await opened.stores.transaction((tx) => tx.recordings.create(again, []))).toBe(false)
        expect((await opened.stores.recordings.find(projectId, 's', NOW))?.startUrl).toBe('first')
      })
      it('accepts the same session id in two projects', async () => {
        const [one, two] = [await project(), await project()]
        await make(one, 'same', { startUrl: 'one' })
        await make(two, 'same', { startUrl: 'two' })
        expect((await opened.stores.recordings.find(one, 'same', NOW))?.startUrl).toBe('one')
        expect((await opened.stores.recordings.find(two, 'same', NOW))?.startUrl).toBe('two')
      })
    })

    describe('expiry', () => {
      it('hides a recording at the very instant it expires, everywhere', async () => {
        const projectId = await project()
        await make(projectId, 'e', { expiresAt: NOW + DAY })
        const { recordings } = opened.stores
        const seen = async (now: number) => [
          (await recordings.find(projectId, 'e', now)) !== null,
          (await recordings.findMany(projectId, ['e'], now)).length === 1,
          (await listed(projectId, {}, ALL, now)).length === 1,
          (await listed(projectId, { forced: 'e', sessionIds: [] }, ALL, now)).length === 1,
          (await recordings.count(projectId, EVERYTHING, now)) === 1,
        ]
        expect(await seen(NOW + DAY - 1)).toEqual([true, true, true, true, true])
        expect(await seen(NOW + DAY)).toEqual([false, false, false, false, false])
      })
    })

    describe('lists', () => {
      it('page exactly, newest first, ties by session id', async () => {
        const projectId = await project()
        for (const id of ['c', 'a', 'd', 'b']) await make(projectId, id, { startAt: id === 'd' ? NOW + 1 : NOW })
        expect(await listed(projectId)).toEqual(['d', 'a', 'b', 'c'])
        expect(await listed(projectId, {}, { limit: 2, offset: 1 })).toEqual(['a', 'b'])
        expect(await listed(projectId, {}, { limit: 2, offset: 9 })).toEqual([])
        expect(await opened.stores.recordings.count(projectId, EVERYTHING, NOW)).toBe(4)
      })
      it('keep both ends of the window', async () => {
        const projectId = await project()
        for (const ms of [0, 1, 2, 3]) await make(projectId, `t${ms}`, { startAt: NOW + ms })
        expect(await listed(projectId, { startFrom: NOW + 1, startTo: NOW + 2 })).toEqual(['t2', 't1'])
      })
      it('follow the order of the given session ids; an empty list finds none', async () => {
        const projectId = await project()
        for (const id of ['a', 'b', 'c']) await make(projectId, id)
        expect(await listed(projectId, { sessionIds: ['c', 'x', 'a'] })).toEqual(['c', 'a'])
        expect(await listed(projectId, { sessionIds: [] })).toEqual([])
      })
      it('put a forced recording first, once, and count it', async () => {
        const projectId = await project()
        for (const id of ['a', 'b', 'c']) await make(projectId, id, { distinctId: id })
        const filter = { ...EVERYTHING, distinctIds: ['a', 'b'], forced: 'c' }
        expect(await listed(projectId, filter)).toEqual(['c', 'a', 'b'])
        expect(await listed(projectId, { ...filter, forced: 'b' })).toEqual(['b', 'a'])
        expect(await listed(projectId, { ...filter, forced: 'nobody' })).toEqual(['a', 'b'])
        expect(await opened.stores.recordings.count(projectId, filter, NOW)).toBe(3)
      })
      it('hide what one user, or any user, has viewed', async () => {
        const projectId = await project()
        for (const id of ['a', 'b', 'c']) await make(projectId, id)
        await opened.stores.transaction(async (tx) => {
          await tx.recordings.addViews(projectId, 1, ['a'], NOW)
          await tx.recordings.addViews(projectId, 2, ['b'], NOW)
        })
        expect(await listed(projectId, { notViewedBy: 1 })).toEqual(['b', 'c'])
        expect(await listed(projectId, { notViewedBy: 'anyone' })).toEqual(['c'])
      })
      it('find sessions whatever the case, however many are named', async () => {
        const projectId = await project()
        await make(projectId, 'ABC')
        await make(projectId, 'def')
        const many = Array.from({ length: 50_000 }, (_, index) => `x${index}`)
        expect(await listed(projectId, where({ sessionIds: [...many, 'abc'] }))).toEqual(['ABC'])
      })
    })

    describe('conditions on counters', () => {
      const numbers = { ...NONE, clicks: 10, keypresses: 5, mouseActivity: 20, consoleErrors: 1 }
      const seeded = async () => {
        const projectId = await project()
        await make(projectId, 'busy', { endAt: NOW + 99_999, activeMs: 50_500, counters: numbers })
        await make(projectId, 'idle', { endAt: NOW, activeMs: 0, counters: NONE, snapshotSource: 'mobile' })
        return projectId
      }
      it.each<[RecordingCondition, string[]]>([
        [{ measure: 'recording_duration', comparison: '=', value: 99 }, ['busy']],
        [{ measure: 'recording_duration', comparison: '>', value: 99 }, []],
        [{ measure: 'recording_duration', comparison: '>=', value: 0 }, ['busy', 'idle']],
        [{ measure: 'active_seconds', comparison: '=', value: 50 }, ['busy']],
        [{ measure: 'inactive_seconds', comparison: '=', value: 49 }, ['busy']],
        [{ measure: 'click_count', comparison: '<', value: 10 }, ['idle']],
        [{ measure: 'click_count', comparison: '<=', value: 10 }, ['busy', 'idle']],
        [{ measure: 'keypress_count', comparison: '<>', value: 0 }, ['busy']],
        [{ measure: 'mouse_activity_count', comparison: '=', value: 20 }, ['busy']],
        [{ measure: 'console_log_count', comparison: '=', value: 0 }, ['busy', 'idle']],
        [{ measure: 'console_warn_count', comparison: '>', value: 0 }, []],
        [{ measure: 'console_error_count', comparison: '=', value: 1 }, ['busy']],
        // (50.5 + 10 + 5 + 1) / (20 + 99 + 1)
        [{ measure: 'activity_score', comparison: '=', value: 55.42 }, ['busy']],
        [{ measure: 'activity_score', comparison: '=', value: 0 }, ['idle']],
        [{ source: ['mobile'], negated: false }, ['idle']],
        [{ source: ['mobile'], negated: true }, ['busy']],
        [{ source: [], negated: false }, []],
        [{ consoleLevels: ['error'] }, ['busy']],
        [{ consoleLevels: ['info', 'warn'] }, []],
        [{ consoleLevels: ['info', 'warn', 'error'] }, ['busy']],
        [{ consoleLevels: [] }, []],
      ])('%j finds %j', async (condition, found) => {
        expect(await listed(await seeded(), where(condition))).toEqual(found)
      })
      it('are combined by AND or OR', async () => {
        const projectId = await seeded()
        const of: RecordingCondition[] = [{ source: ['mobile'], negated: false }, { consoleLevels: ['error'] }]
        expect(await listed(projectId, { conditions: { join: 'AND', of } })).toEqual([])
        expect(await listed(projectId, { conditions: { join: 'OR', of } })).toEqual(['busy', 'idle'])
        expect(await listed(projectId, where({ join: 'OR', of }))).toEqual(['busy', 'idle'])
        const unclicked: RecordingCondition = { measure: 'click_count', comparison: '=', value: 0 }
        expect(await listed(projectId, where({ join: 'OR', of }, unclicked))).toEqual(['idle'])
        expect(await listed(projectId, { conditions: { join: 'OR', of: [{ join: 'AND', of }] } })).toEqual([])
        expect(await listed(projectId, where({ join: 'AND', of: [] }))).toEqual(['busy', 'idle'])
        expect(await listed(projectId, where({ join: 'OR', of: [] }))).toEqual([])
      })
      it.each<RecordingOrder>([
        'start_time',
        'recording_duration',
        'active_seconds',
        'inactive_seconds',
        'click_count',
        'keypress_count',
        'mouse_activity_count',
        'console_log_count',
        'console_warn_count',
        'console_error_count',
        'activity_score',
        'recording_ttl',
      ])('order by %s, both ways', async (by) => {
        const projectId = await project()
        const all = { ...numbers, consoleLogs: 1, consoleWarns: 1 }
        const more = {
          startAt: NOW + 1,
          endAt: NOW + 99_999,
          activeMs: 50_500,
          counters: all,
          expiresAt: NOW + 2 * DAY,
        }
        await make(projectId, 'less', { endAt: NOW, activeMs: 0, expiresAt: NOW + DAY })
        await make(projectId, 'more', more)
        expect(await listed(projectId, { order: { by, ascending: true } })).toEqual(['less', 'more'])
        expect(await listed(projectId, { order: { by, ascending: false } })).toEqual(['more', 'less'])
      })
    })

    describe('changes', () => {
      it('change only the named fields, in one project', async () => {
        const [one, two] = [await project(), await project()]
        await make(one, 's')
        await make(two, 's')
        await opened.stores.transaction(async (tx) => {
          await tx.recordings.update(one, 's', {})
          await tx.recordings.update(one, 's', { analyzed: true, sharedAt: NOW })
          await tx.recordings.update(one, 's', { lastIngestAt: NOW - DAY })
          await tx.recordings.update(one, 'unknown', { analyzed: true })
        })
        const read = async (id: number) => {
          const { analyzed, sharedAt, lastIngestAt } = (await opened.stores.recordings.find(id, 's', NOW)) ?? {}
          return { analyzed, sharedAt, lastIngestAt }
        }
        expect(await read(one)).toEqual({ analyzed: true, sharedAt: NOW, lastIngestAt: NOW - DAY })
        expect(await read(two)).toEqual({ analyzed: false, sharedAt: null, lastIngestAt: NOW })
      })
      it('record a view once and return how many were removed', async () => {
        const projectId = await project()
        for (const id of ['a', 'b']) await make(projectId, id)
        const { stores } = opened
        await stores.transaction(async (tx) => {
          await tx.recordings.addViews(projectId, 7, ['a', 'b'], NOW)
          await tx.recordings.addViews(projectId, 7, ['a'], NOW + 1)
          await tx.recordings.addViews(projectId, 8, ['a'], NOW - 1)
          await tx.recordings.addViews(projectId, 8, [], NOW)
        })
        expect(await stores.recordings.viewsOf(projectId, ['a'])).toEqual([
          { sessionId: 'a', userId: 8 },
          { sessionId: 'a', userId: 7 },
        ])
        const removed = await stores.transaction((tx) => tx.recordings.removeViews(projectId, 7, ['a', 'b', 'c']))
        expect(removed).toBe(2)
        expect(await stores.recordings.viewsOf(projectId, ['a', 'b'])).toEqual([{ sessionId: 'a', userId: 8 }])
      })
    })

    describe('replacing by a tombstone', () => {
      it('leaves a tombstone and nothing else, and refuses what comes later', async () => {
        const projectId = await project()
        const recording = newRecording({ projectId })
        const id = recording.sessionId
        const block = {
          index: 0,
          blobKey: 'k',
          offset: 0,
          length: 1,
          firstAt: NOW,
          lastAt: NOW,
          follows: null,
          fullSnapshots: '',
        }
        const { stores } = opened
        const tombstoned = await stores.transaction(async (tx) => {
          await tx.recordings.create(recording, [block])
          await tx.recordings.addViews(projectId, 1, [id], NOW)
          await tx.sharing.ensure(projectId, id, `token-of-${id}`, NOW)
          return tx.recordings.replaceByTombstone(projectId, [id, 'unknown'], { userId: 5, at: NOW + 1 })
        })
        expect(tombstoned).toEqual([id])
        expect(await stores.recordings.find(projectId, id, NOW)).toBeNull()
        expect(await stores.recordings.blocks(projectId, id)).toEqual([])
        expect(await stores.recordings.viewsOf(projectId, [id])).toEqual([])
        expect(await stores.sharing.findToken(`token-of-${id}`)).toBeNull()
        const tombstone = { projectId, sessionId: id, deletedAt: NOW + 1, deletedBy: 5, freedAt: null }
        expect(await stores.recordings.findTombstone(projectId, id)).toEqual(tombstone)
        expect(await stores.recordings.findTombstone(projectId, 'unknown')).toBeNull()
        expect(await stores.transaction((tx) => tx.recordings.create(recording, [block]))).toBe(false)
        expect(
          await stores.transaction((tx) => tx.recordings.replaceByTombstone(projectId, [id], { userId: 5, at: NOW })),
        ).toEqual([])
      })
      it('remembers what is still to be freed until it is marked', async () => {
        const projectId = await project()
        await make(projectId, 'f', { expiresAt: NOW - 1 })
        const { stores } = opened
        const pending = async () => {
          const all = await stores.recordings.unfreed(100)
          return all.filter((tombstone) => tombstone.projectId === projectId).map((tombstone) => tombstone.sessionId)
        }
        await stores.transaction((tx) => tx.recordings.replaceByTombstone(projectId, ['f'], { userId: null, at: NOW }))
        expect(await pending()).toEqual(['f'])
        await stores.transaction((tx) => tx.recordings.markFreed(projectId, 'f', NOW + 5))
        expect(await pending()).toEqual([])
        expect((await stores.recordings.findTombstone(projectId, 'f'))?.freedAt).toBe(NOW + 5)
      })
      it('finds what has expired and what is oldest, with their bytes', async () => {
        const projectId = await project()
        const times = { late: [NOW - 3, 5], early: [NOW - 1, 4], never: [NOW - 2, 9] } as const
        for (const [sessionId, [startAt, expiresAt]] of Object.entries(times)) {
          const blocks = [0, 1].map((index) => ({
            index,
            blobKey: 'x',
            offset: index,
            length: expiresAt,
            firstAt: NOW,
            lastAt: NOW,
            follows: null,
            fullSnapshots: '',
          }))
          const recording = newRecording({ projectId, sessionId, startAt, expiresAt })
          await opened.stores.transaction((tx) => tx.recordings.create(recording, sessionId === 'never' ? [] : blocks))
        }
        const { expired, oldest } = opened.stores.recordings
        const late = { projectId, sessionId: 'late', bytes: 10 }
        const early = { projectId, sessionId: 'early', bytes: 8 }
        expect(await expired(5, 10)).toEqual([early, late])
        expect(await expired(4, 10)).toEqual([early])
        expect(await expired(5, 1)).toEqual([early])
        expect(await oldest(projectId, 10)).toEqual([late, { projectId, sessionId: 'never', bytes: 0 }, early])
        expect(await oldest(projectId + 1_000, 10)).toEqual([])
      })
      it('is removed with the project', async () => {
        const projectId = await project()
        for (const id of ['a', 'b']) await make(projectId, id)
        const { stores } = opened
        await stores.transaction(async (tx) => {
          await tx.recordings.replaceByTombstone(projectId, ['a'], { userId: null, at: NOW })
          await tx.sharing.ensure(projectId, 'b', `token-${projectId}`, NOW)
        })
        await insertRemovedProject(stores, projectId)
        expect(await stores.recordings.findTombstone(projectId, 'a')).toBeNull()
        expect(await stores.recordings.find(projectId, 'b', NOW)).toBeNull()
        expect(await stores.sharing.findToken(`token-${projectId}`)).toBeNull()
      })
    })
  })
}
