/** What every store of sharing configurations must do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SharingPatch } from '../../../model/recordings/sharing.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertRecording } from '../recording-builders.ts'
import { insertProject, NOW } from '../sql-builders.ts'

export function sharingContract(engine: string, open: OpenSql): void {
  describe(`sharing on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    let id: string
    let count = 0
    beforeAll(async () => {
      opened = await open()
      projectId = (await insertProject(opened.stores)).id
    })
    afterAll(() => opened.end())
    beforeEach(async () => {
      id = await insertRecording(opened.stores, { projectId })
    })

    const token = () => {
      count += 1
      return `token-${count}`
    }
    const ensure = (given: string) => opened.stores.transaction((tx) => tx.sharing.ensure(projectId, id, given, NOW))

    it('does not exist until it is requested, then stays as it was created', async () => {
      expect(await opened.stores.sharing.find(projectId, id)).toBeNull()
      const first = token()
      const made = {
        projectId,
        sessionId: id,
        enabled: false,
        accessToken: first,
        settings: null,
        passwordRequired: false,
        createdAt: NOW,
      }
      expect(await ensure(first)).toEqual(made)
      expect(await ensure(token())).toEqual(made)
      expect(await opened.stores.sharing.find(projectId, id)).toEqual(made)
    })
    it('changes only the named fields', async () => {
      await ensure(token())
      const update = (patch: SharingPatch) => opened.stores.transaction((tx) => tx.sharing.update(projectId, id, patch))
      await update({ enabled: true, settings: { theme: 'dark', noHeader: false } })
      await update({ passwordRequired: true })
      await update({})
      expect(await opened.stores.sharing.find(projectId, id)).toMatchObject({
        enabled: true,
        settings: { theme: 'dark', noHeader: false },
        passwordRequired: true,
      })
      await update({ settings: null, enabled: false })
      expect(await opened.stores.sharing.find(projectId, id)).toMatchObject({ enabled: false, settings: null })
    })
    it('finds a configuration by its current and by its replaced tokens', async () => {
      const [first, second, third] = [token(), token(), token()]
      await ensure(first)
      await opened.stores.transaction(async (tx) => {
        await tx.sharing.rotate(projectId, id, second, { now: NOW, graceUntil: NOW + 300 })
        await tx.sharing.rotate(projectId, id, third, { now: NOW + 100, graceUntil: NOW + 400 })
      })
      const ends = async () => {
        const found = await Promise.all([first, second, third].map((item) => opened.stores.sharing.findToken(item)))
        return found.map((item) => item && { expiresAt: item.expiresAt, current: item.sharing.accessToken })
      }
      expect(await ends()).toEqual([
        { expiresAt: NOW + 300, current: third },
        { expiresAt: NOW + 400, current: third },
        { expiresAt: null, current: third },
      ])
      await opened.stores.transaction((tx) => tx.sharing.dropReplaced(projectId, id))
      expect(await ends()).toEqual([null, null, { expiresAt: null, current: third }])
    })
    it('removes tokens whose grace period is over when the next one comes', async () => {
      const [first, second, third] = [token(), token(), token()]
      await ensure(first)
      await opened.stores.transaction(async (tx) => {
        await tx.sharing.rotate(projectId, id, second, { now: NOW, graceUntil: NOW + 300 })
        await tx.sharing.rotate(projectId, id, third, { now: NOW + 300, graceUntil: NOW + 600 })
      })
      expect(await opened.stores.sharing.findToken(first)).toBeNull()
      expect(await opened.stores.sharing.findToken(second)).not.toBeNull()
    })
    it('keeps passwords of one recording apart from those of another, with ids that are never reused', async () => {
      const other = await insertRecording(opened.stores, { projectId })
      const row = { hash: 'h', note: 'n', createdBy: 1, createdAt: NOW }
      const { stores } = opened
      const first = await stores.transaction((tx) => tx.sharing.addPassword(projectId, id, row))
      expect(first).toEqual({ ...row, id: first.id })
      expect(await stores.transaction((tx) => tx.sharing.removePassword(projectId, other, first.id))).toBe(false)
      expect(await stores.sharing.passwords(projectId, id)).toEqual([first])
      expect(await stores.transaction((tx) => tx.sharing.removePassword(projectId, id, first.id))).toBe(true)
      expect(await stores.transaction((tx) => tx.sharing.removePassword(projectId, id, first.id))).toBe(false)
      const second = await stores.transaction((tx) => tx.sharing.addPassword(projectId, id, { ...row, note: null }))
      expect(second.id).toBeGreaterThan(first.id)
      expect(await stores.sharing.passwords(projectId, id)).toEqual([second])
    })
  })
}
