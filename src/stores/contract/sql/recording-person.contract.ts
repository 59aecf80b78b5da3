/** What every store of recordings must do about the person of a recording. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOBODY } from '../../../model/persons/person-search.ts'
import type { RecordingFilter } from '../../../model/recordings/recording.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { EVERYTHING, insertPerson, insertRecording } from '../recording-builders.ts'
import { insertProject, NOW } from '../sql-builders.ts'

const ALL = { limit: 100, offset: 0 }

export function recordingPersonContract(engine: string, open: OpenSql): void {
  describe(`the person of a recording on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const project = async () => (await insertProject(opened.stores)).id
    const listed = async (projectId: number, filter: Partial<RecordingFilter>) => {
      const rows = await opened.stores.recordings.list(projectId, { ...EVERYTHING, ...filter }, ALL, NOW)
      return rows.map((row) => row.sessionId)
    }
    const ownersOf = async (projectId: number) => {
      const { recordings } = opened.stores
      const questions = { tests: [], withOwners: true }
      const { sessionIds, owners } = await recordings.candidates(projectId, EVERYTHING, questions, null, NOW)
      return Object.fromEntries(sessionIds.map((id, row) => [id, owners[row]]))
    }
    const make = (projectId: number, sessionId: string, input: { distinctId: string; expiresAt?: number }) =>
      insertRecording(opened.stores, { ...input, projectId, sessionId })

    const seeded = async () => {
      const projectId = await project()
      const jane = await insertPerson(opened.stores, projectId, ['jane', 'jane-2'], { plan: 'pro' })
      const john = await insertPerson(opened.stores, projectId, ['john'], { plan: 'free' })
      for (const id of ['jane', 'jane-2', 'john', 'nobody']) await make(projectId, `s-${id}`, { distinctId: id })
      await opened.stores.transaction((tx) => tx.recordings.update(projectId, 's-jane-2', { personId: john }))
      return { projectId, jane, john }
    }
    it('is the one it was assigned to, else the owner of its distinct id', async () => {
      const { projectId, jane, john } = await seeded()
      expect(await listed(projectId, { personId: jane })).toEqual(['s-jane'])
      expect(await listed(projectId, { personId: john })).toEqual(['s-jane-2', 's-john'])
      const owners = await ownersOf(projectId)
      expect(owners).toEqual({ 's-jane': jane, 's-jane-2': john, 's-john': john, 's-nobody': NOBODY })
    })
    it('has as many of them as are listed, with their stored bytes', async () => {
      const { projectId, jane, john } = await seeded()
      await make(projectId, 's-gone', { distinctId: 'jane', expiresAt: NOW - 1 })
      const bytes = { 's-jane': 3_000_000_000, 's-jane-2': 20, 's-john': 3_000_000_000, 's-nobody': 5, 's-gone': 6 }
      for (const [sessionId, storedBytes] of Object.entries(bytes)) {
        const progress = { activity: '', urls: [], storedBytes }
        await opened.stores.transaction((tx) => tx.recordings.saveProgress(projectId, sessionId, progress))
      }
      const totals = (personId: number, project = projectId) =>
        opened.stores.recordings.totalsOf(project, personId, NOW)
      expect(await totals(jane)).toEqual({ count: 1, bytes: 3_000_000_000 })
      expect(await totals(john)).toEqual({ count: 2, bytes: 3_000_000_020 })
      expect(await totals(jane, projectId + 1)).toEqual({ count: 0, bytes: 0 })
      expect(await totals(-1)).toEqual({ count: 0, bytes: 0 })
    })
    it('has thousands of them, under thousands of ids', async () => {
      const projectId = await project()
      const ids = Array.from({ length: 1_200 }, (_, i) => `id-${i}`)
      const jane = await insertPerson(opened.stores, projectId, ids, {})
      for (const id of ids) await make(projectId, `s-${id}`, { distinctId: id })
      await opened.stores.transaction(async (tx) => {
        for (const id of ids) {
          await tx.recordings.saveProgress(projectId, `s-${id}`, { activity: '', urls: [], storedBytes: 3 })
        }
      })
      expect(await opened.stores.recordings.totalsOf(projectId, jane, NOW)).toEqual({ count: 1_200, bytes: 3_600 })
    })
    it('decides which recordings a removal deletes', async () => {
      const { projectId } = await seeded()
      const owned = (ids: string[]) => opened.stores.transaction((tx) => tx.recordings.ownedBy(projectId, ids))
      expect(await owned(['jane', 'jane-2'])).toEqual(['s-jane'])
      expect(await owned(['john'])).toEqual(['s-jane-2', 's-john'])
      expect(await owned(['nobody'])).toEqual(['s-nobody'])
      expect(await owned([])).toEqual([])
    })
    it('falls back to the owner when the assigned one is removed', async () => {
      const { projectId, jane, john } = await seeded()
      await opened.stores.transaction((tx) => tx.persons.remove(john))
      expect((await opened.stores.recordings.find(projectId, 's-jane-2', NOW))?.personId).toBeNull()
      expect(await listed(projectId, { personId: jane })).toEqual(['s-jane', 's-jane-2'])
      expect(await ownersOf(projectId)).toMatchObject({ 's-jane-2': jane, 's-john': NOBODY })
    })
    it('counts expired recordings among those to remove', async () => {
      const projectId = await project()
      await make(projectId, 'old', { distinctId: 'x', expiresAt: NOW - 1 })
      expect(await opened.stores.transaction((tx) => tx.recordings.ownedBy(projectId, ['x']))).toEqual(['old'])
    })
  })
}
