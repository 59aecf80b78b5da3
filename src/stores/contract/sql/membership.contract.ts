import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertUser, NOW } from '../sql-builders.ts'

export function membershipContract(engine: string, open: OpenSql): void {
  describe(`memberships on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    const organization = async () => {
      const id = randomUUID()
      await opened.stores.transaction((tx) => tx.users.createOrganization({ id, name: 'Some', createdAt: NOW }))
      return id
    }

    it('exist once, and end one by one, for one user only', async () => {
      const { stores } = opened
      const [ann, bob] = [(await insertUser(stores)).id, (await insertUser(stores, 'bob@example.com')).id]
      const before = await stores.users.organizationIds(ann)
      const [first, second] = [await organization(), await organization()]
      const leave = (id: string) => stores.transaction((tx) => tx.users.removeMember(id, ann))
      await stores.transaction(async (tx) => {
        for (const id of [first, first, second]) await tx.users.addMember(id, ann)
        await tx.users.addMember(first, bob)
      })
      const own = async () => (await stores.users.organizationIds(ann)).filter((id) => !before.includes(id))
      expect((await own()).sort()).toEqual([first, second].sort())
      expect(await leave(first)).toBe(true)
      expect(await leave(first)).toBe(false)
      expect(await own()).toEqual([second])
      expect(await stores.users.organizationIds(bob)).toContain(first)
      expect(await leave(second)).toBe(true)
      expect(await own()).toEqual([])
    })
  })
}
