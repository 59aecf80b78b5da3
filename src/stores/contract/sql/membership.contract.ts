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
      const organizationsOf = async (user: number) =>
        (await stores.users.memberships(user)).map(({ organizationId }) => organizationId)
      const before = await organizationsOf(ann)
      const [first, second] = [await organization(), await organization()]
      const leave = (id: string) => stores.transaction((tx) => tx.users.removeMember(id, ann))
      await stores.transaction(async (tx) => {
        for (const id of [first, first, second]) await tx.users.addMember(id, ann, 1)
        await tx.users.addMember(first, bob, 1)
      })
      const own = async () => (await organizationsOf(ann)).filter((id) => !before.includes(id))
      expect((await own()).sort()).toEqual([first, second].sort())
      expect(await leave(first)).toBe(true)
      expect(await leave(first)).toBe(false)
      expect(await own()).toEqual([second])
      expect(await organizationsOf(bob)).toContain(first)
      expect(await leave(second)).toBe(true)
      expect(await own()).toEqual([])
    })

    it('have a level, the newest that was given, and are listed by the age of the organisation and by user', async () => {
      const { stores } = opened
      const [ann, bob] = [(await insertUser(stores)).id, (await insertUser(stores, 'bob@example.com')).id]
      const [second, first] = [randomUUID(), randomUUID()]
      await stores.transaction(async (tx) => {
        await tx.users.createOrganization({ id: second, name: 'Second', createdAt: NOW + 2 })
        await tx.users.createOrganization({ id: first, name: 'First', createdAt: NOW + 1 })
        await tx.users.addMember(second, bob, 8)
        await tx.users.addMember(second, ann, 0)
        await tx.users.addMember(first, ann, 1)
        await tx.users.addMember(first, ann, 15)
      })
      const own = (await stores.users.memberships(ann)).filter(
        ({ organizationId }) => organizationId === first || organizationId === second,
      )
      expect(own).toEqual([
        { organizationId: first, level: 15 },
        { organizationId: second, level: 0 },
      ])
      const members = [
        { userId: ann, level: 0 },
        { userId: bob, level: 8 },
      ]
      expect(await stores.users.members(second)).toEqual(members)
      await stores.transaction((tx) => tx.users.update(bob, { isActive: false }))
      expect(await stores.users.members(second)).toEqual(members.slice(0, 1))
      expect(await stores.users.members(randomUUID())).toEqual([])
    })
  })
}
