/** What every SQL adapter must do for what is kept to undo entries of the activity log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../../lib/ids.ts'
import type { Kept } from '../../../../model/persons/undo.ts'
import type { SqlWriters } from '../../../../model/stores.ts'
import { meeting } from '../../meeting.ts'
import type { OpenedSql, OpenSql } from '../../open-sql.ts'
import { insertRecording } from '../../recording-builders.ts'
import { insertPerson, insertProject, insertRemovedProject, NOW } from '../../sql-builders.ts'

const DETAIL = { changes: null, trigger: null, name: null, short_id: null, type: null }

export function undoContract(engine: string, open: OpenSql): void {
  describe(`what undoing needs on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    beforeAll(async () => {
      opened = await open()
      projectId = (await insertProject(opened.stores)).id
    })
    afterAll(() => opened.end())

    const write = <T>(work: (tx: SqlWriters) => Promise<T>): Promise<T> => opened.stores.transaction(work)
    const addEntry = async (personId: number, project = projectId): Promise<string> => {
      const id = uuidV7(NOW)
      const entry = { projectId: project, organizationId: null, userId: 1, scope: 'Person', itemId: String(personId) }
      await write((tx) =>
        tx.activity.add({ id, ...entry, activity: 'split_person', detail: DETAIL, createdAt: NOW, undo: null }),
      )
      return id
    }
    const splitOf = (...ids: string[]): Kept => ({
      kind: 'split',
      moved: ids.map((distinctId) => ({ distinctId, personId: 7, isNew: true })),
    })
    /** An entry of a person with something kept that tells of these ids. */
    const keep = async (personId: number, ids: string[], project = projectId): Promise<string> => {
      const activityId = await addEntry(personId, project)
      await write((tx) => tx.undo.keep({ activityId, projectId: project, personId }, splitOf(...ids), ids))
      return activityId
    }
    const find = (id: string) => write((tx) => tx.undo.find(id))
    const stateOf = async (id: string) => (await opened.stores.activity.find(id))?.undo

    it('is found with its entry, which is marked', async () => {
      const other = await keep(2, ['x'])
      const id = await keep(1, ['a', "b'"])
      expect(await find(id)).toEqual({ personId: 1, kept: splitOf('a', "b'") })
      expect([await stateOf(id), await stateOf(other)]).toEqual(['kept', 'kept'])
      const bare = await addEntry(1)
      expect([await find(bare), await stateOf(bare)]).toEqual([null, null])
    })

    it('is kept of any number of ids', async () => {
      const ids = Array.from({ length: 2_001 }, (_, n) => `many-${n}`)
      const id = await keep(1, ids)
      expect((await find(id))?.kept).toEqual(splitOf(...ids))
      await write((tx) => tx.undo.erase(projectId, [], ids.slice(1_999)))
      expect(await find(id)).toBeNull()
    })

    it('of merges is listed by the person that stayed, oldest first, and may be kept anew', async () => {
      const merge = async (personId: number, about: number, at: number) => {
        const id = uuidV7(NOW + at)
        const entry = { projectId, organizationId: null, userId: 1, scope: 'Person', itemId: String(personId) }
        const activity = 'people_merged_into'
        await write(async (tx) => {
          await tx.activity.add({ id, ...entry, activity, detail: DETAIL, createdAt: NOW + at, undo: null })
          await tx.undo.keep({ activityId: id, projectId, personId: about }, splitOf(`m-${at}`), [`m-${at}`])
        })
        return id
      }
      const [second, first, moved] = [await merge(31, 31, 2), await merge(31, 31, 1), await merge(31, 32, 3)]
      await keep(31, ['no merge'])
      const listed = () => write((tx) => tx.undo.mergesInto(projectId, 31))
      expect(await listed()).toEqual([first, second])
      expect(await write((tx) => tx.undo.mergesInto(projectId, 32))).toEqual([])
      await write((tx) => tx.undo.replace(first, splitOf('anew')))
      expect((await find(first))?.kept).toEqual(splitOf('anew'))
      expect((await find(moved))?.kept).toEqual(splitOf('m-3'))
      await write((tx) => tx.undo.markUndone(first))
      await write((tx) => tx.undo.replace(first, splitOf('anew')))
      expect([await find(first), await listed()]).toEqual([null, [second]])
    })

    it('is gone with the mark that it was undone, which is set once', async () => {
      const [id, bare] = [await keep(1, ['once']), await addEntry(1)]
      for (const one of [id, bare]) {
        expect(await write((tx) => tx.undo.markUndone(one))).toBe(true)
        expect(await write((tx) => tx.undo.markUndone(one))).toBe(false)
        expect([await find(one), await stateOf(one)]).toEqual([null, 'done'])
      }
      await write((tx) => tx.undo.erase(projectId, [1], ['once']))
      expect(await stateOf(id)).toBe('done')
      expect(await write((tx) => tx.undo.markUndone(uuidV7(NOW)))).toBe(false)
    })

    it.each(['people', 'plain'] as const)('is marked by one of two %s transactions at once', async (kind) => {
      const id = await keep(1, ['raced'])
      const { meet } = meeting(opened.writers)
      const run = () => {
        const work = async (tx: SqlWriters) => {
          await meet()
          return tx.undo.markUndone(id)
        }
        return kind === 'people' ? opened.stores.peopleTransaction([projectId], work) : write(work)
      }
      const marked = await Promise.all([run(), run()])
      expect(marked.sort()).toEqual([false, true])
    })

    it('is marked by one of two exclusive transactions at once', async () => {
      const id = await keep(1, ['raced again'])
      const run = () => opened.stores.exclusiveTransaction([projectId], (tx) => tx.undo.markUndone(id))
      expect((await Promise.all([run(), run()])).sort()).toEqual([false, true])
    })

    it('is kept when the transaction that marked it is rolled back', async () => {
      const id = await keep(1, ['rolled back'])
      const failing = write(async (tx) => {
        await tx.undo.markUndone(id)
        throw new Error('given up')
      })
      await expect(failing).rejects.toThrow('given up')
      expect([(await find(id))?.personId, await stateOf(id)]).toEqual([1, 'kept'])
    })

    it('is erased with the person of its entry and with each id it tells of, and nothing else is', async () => {
      const other = (await insertProject(opened.stores)).id
      const theirs = await keep(31, ['shared'], other)
      const [ofPerson, ofId, kept] = [
        await keep(31, ['p']),
        await keep(32, ['shared', 'q']),
        await keep(33, ['SHARED']),
      ]
      await write((tx) => tx.undo.erase(projectId, [31], ['shared', 'unknown']))
      expect(await Promise.all([ofPerson, ofId, kept, theirs].map(stateOf))).toEqual([
        'erased',
        'erased',
        'kept',
        'kept',
      ])
      expect([await find(ofPerson), await find(ofId)]).toEqual([null, null])
      expect([(await find(kept))?.personId, (await find(theirs))?.personId]).toEqual([33, 31])
    })

    it('is erased with who has the entry by now', async () => {
      const [gone, target] = [
        await insertPerson(opened.stores, projectId),
        await insertPerson(opened.stores, projectId),
      ]
      const id = await keep(gone.id, ['moved'])
      await write((tx) => tx.intake.absorb(projectId, gone.id, target.id))
      expect((await find(id))?.personId).toBe(gone.id)
      await write((tx) => tx.undo.erase(projectId, [target.id], []))
      expect([await find(id), await stateOf(id)]).toEqual([null, 'erased'])
    })

    it('is removed with its project', async () => {
      const { id } = await insertProject(opened.stores)
      const entry = await keep(1, ['a'], id)
      const own = await keep(1, ['a'])
      await insertRemovedProject(opened.stores, id)
      expect([await find(entry), await opened.stores.activity.find(entry)]).toEqual([null, null])
      expect(await find(own)).not.toBeNull()
    })

    describe('what a person has', () => {
      const change = (personId: number, at: number) => ({
        personId,
        set: { n: at },
        once: {},
        removed: [],
        at,
        seq: at,
        eventUuid: null,
      })
      const historyOf = async (personId: number) =>
        (await opened.stores.persons.history(projectId, personId, NOW, null, 100)).map(({ at }) => at)

      it('is returned after a merge, and what is the other’s own stays', async () => {
        const [own, gone] = [await insertPerson(opened.stores, projectId), await insertPerson(opened.stores, projectId)]
        const mine = await insertRecording(opened.stores, { projectId, sessionId: 's-own' })
        const theirs = await insertRecording(opened.stores, { projectId, sessionId: 's-gone' })
        await write(async (tx) => {
          await tx.recordings.update(projectId, mine, { personId: own.id })
          await tx.recordings.update(projectId, theirs, { personId: gone.id })
          await tx.persons.addHistory(projectId, [change(own.id, 1), change(gone.id, 2), change(gone.id, 3)])
        })
        const [ownEntry, entry] = [await keep(own.id, ['own']), await keep(gone.id, ['gone'])]
        const had = await write((tx) => tx.undo.belongings(projectId, gone.id, 2))
        expect(had).toMatchObject({ recordings: [theirs], entries: [entry] })
        expect(had?.history).toHaveLength(2)
        expect(await write((tx) => tx.undo.belongings(projectId, gone.id, 1))).toBeNull()
        await write((tx) => tx.intake.absorb(projectId, gone.id, own.id))
        const back = await insertPerson(opened.stores, projectId)
        await write((tx) =>
          tx.undo.giveBack(projectId, { from: own.id, to: back.id, was: gone.id }, had ?? expect.fail()),
        )
        expect([await historyOf(own.id), await historyOf(back.id)]).toEqual([[1], [2, 3]])
        const ownerOf = async (sessionId: string) =>
          (await opened.stores.recordings.find(projectId, sessionId, NOW))?.personId
        expect([await ownerOf(mine), await ownerOf(theirs)]).toEqual([own.id, back.id])
        const itemOf = async (id: string) => (await opened.stores.activity.find(id))?.itemId
        expect([await itemOf(ownEntry), await itemOf(entry)]).toEqual([String(own.id), String(back.id)])
        expect([(await find(ownEntry))?.personId, (await find(entry))?.personId]).toEqual([own.id, back.id])
      })

      it('is not taken from somebody who has it by now', async () => {
        const [own, third] = [
          await insertPerson(opened.stores, projectId),
          await insertPerson(opened.stores, projectId),
        ]
        await write((tx) => tx.persons.addHistory(projectId, [change(third.id, 4)]))
        const entry = await addEntry(third.id)
        const had = await write((tx) => tx.undo.belongings(projectId, third.id, 10))
        await write((tx) => tx.undo.giveBack(projectId, { from: own.id, to: own.id, was: 0 }, had ?? expect.fail()))
        expect(await historyOf(third.id)).toEqual([4])
        expect((await opened.stores.activity.find(entry))?.itemId).toBe(String(third.id))
      })
    })
  })
}
