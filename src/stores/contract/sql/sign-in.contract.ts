import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SignIn } from '../../../model/accounts/sign-in.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertUser, NOW } from '../sql-builders.ts'

export function signInContract(engine: string, open: OpenSql): void {
  describe(`sign-ins on ${engine}`, () => {
    let opened: OpenedSql
    let userId: number
    beforeEach(async () => {
      opened = await open()
      userId = (await insertUser(opened.stores)).id
    })
    afterEach(() => opened.end())

    const make = async (given: Partial<SignIn> & { id: string }): Promise<SignIn> => {
      const times = { createdAt: NOW, lastUsedAt: NOW, provedAt: NOW }
      const signIn: SignIn = { userId, via: 'password', keyId: null, userAgent: 'Ü', ip: '::1', ...times, ...given }
      await opened.stores.transaction((tx) => tx.signIns.create(signIn, `hash of ${signIn.id}`))
      return signIn
    }
    const ids = async (user = userId) => (await opened.stores.signIns.listOfUser(user)).map(({ id }) => id)
    const find = (id: string) => opened.stores.signIns.findByHash(`hash of ${id}`)

    it('are found by their hash only, and listed by their last use', async () => {
      const first = await make({ id: 'first', lastUsedAt: NOW + 1 })
      await make({ id: 'second', via: 'key', keyId: 'key', lastUsedAt: NOW + 2 })
      const stranger = (await insertUser(opened.stores, 'other@example.com')).id
      await make({ id: 'other', userId: stranger })
      expect(await find('first')).toEqual(first)
      expect(await opened.stores.signIns.findByHash('first')).toBe(null)
      expect(await ids()).toEqual(['second', 'first'])
      expect(await ids(stranger)).toEqual(['other'])
      await opened.stores.transaction(async (tx) => {
        await tx.signIns.touch('first', NOW + 3)
        await tx.signIns.prove('first', NOW + 4)
      })
      expect(await find('first')).toEqual({ ...first, lastUsedAt: NOW + 3, provedAt: NOW + 4 })
      expect(await ids()).toEqual(['first', 'second'])
    })

    it('end one by one, all but one, with their key, and with time', async () => {
      const { stores } = opened
      for (const id of ['a', 'b', 'c']) await make({ id })
      await make({ id: 'by key', via: 'key', keyId: 'key' })
      expect(await stores.transaction((tx) => tx.signIns.remove('a'))).toBe(true)
      expect(await stores.transaction((tx) => tx.signIns.remove('a'))).toBe(false)
      await stores.transaction((tx) => tx.signIns.removeOfKey('key'))
      expect((await ids()).sort()).toEqual(['b', 'c'])
      expect(await stores.transaction((tx) => tx.signIns.removeOthers(userId, 'b'))).toBe(1)
      expect(await ids()).toEqual(['b'])
      expect(await stores.transaction((tx) => tx.signIns.removeOthers(userId, null))).toBe(1)
      await make({ id: 'old', createdAt: NOW - 9 })
      await make({ id: 'unused', lastUsedAt: NOW - 5 })
      await make({ id: 'used' })
      expect(await stores.transaction((tx) => tx.signIns.removeEnded(NOW - 5, NOW - 9))).toBe(0)
      expect(await stores.transaction((tx) => tx.signIns.removeEnded(NOW - 4, NOW - 8))).toBe(2)
      expect(await ids()).toEqual(['used'])
    })

    it('passwords and themes of users are kept beside them', async () => {
      const { stores } = opened
      expect(await stores.users.passwordHash(userId)).toBe(null)
      expect(await stores.users.havePasswords()).toBe(false)
      await stores.transaction(async (tx) => {
        await tx.users.setPassword(userId, 'scrypt$…')
        await tx.users.update(userId, { themeMode: 'dark' })
      })
      expect(await stores.users.passwordHash(userId)).toBe('scrypt$…')
      expect(await stores.users.havePasswords()).toBe(true)
      expect(await stores.users.find(userId)).toMatchObject({ themeMode: 'dark' })
      await stores.transaction((tx) => tx.users.update(userId, { themeMode: null }))
      expect(await stores.users.find(userId)).toMatchObject({ themeMode: null })
      await stores.transaction((tx) => tx.users.update(userId, { isActive: false }))
      expect(await stores.users.havePasswords()).toBe(false)
    })
  })
}

export function accountLinkContract(engine: string, open: OpenSql): void {
  describe(`one-time links on ${engine}`, () => {
    let opened: OpenedSql
    let userId: number
    beforeEach(async () => {
      opened = await open()
      userId = (await insertUser(opened.stores)).id
    })
    afterEach(() => opened.end())

    const make = (hash: string, expiresAt = NOW + 10) => {
      const link = { userId, purpose: 'setup', createdAt: NOW, expiresAt, usedAt: null } as const
      return opened.stores.transaction((tx) => tx.accountLinks.create(link, hash))
    }

    it('are used once', async () => {
      const { stores } = opened
      await make('a')
      expect(await stores.accountLinks.find('b')).toBe(null)
      const link = { userId, purpose: 'setup', createdAt: NOW, expiresAt: NOW + 10 }
      expect(await stores.accountLinks.find('a')).toEqual({ ...link, usedAt: null })
      const use = (hash: string) => stores.transaction((tx) => tx.accountLinks.use(hash, NOW + 1))
      expect([await use('a'), await use('a'), await use('b')]).toEqual([true, false, false])
      expect(await stores.accountLinks.find('a')).toEqual({ ...link, usedAt: NOW + 1 })
    })

    it('that were not used go with a new one, and all with time', async () => {
      const { stores } = opened
      for (const hash of ['used', 'unused']) await make(hash)
      await stores.transaction(async (tx) => {
        await tx.accountLinks.use('used', NOW)
        await tx.accountLinks.removeUnused(userId)
      })
      expect(await stores.accountLinks.find('unused')).toBe(null)
      expect(await stores.accountLinks.find('used')).not.toBe(null)
      await make('later', NOW + 20)
      expect(await stores.transaction((tx) => tx.accountLinks.removeExpired(NOW + 11))).toBe(1)
      expect(await stores.accountLinks.find('later')).not.toBe(null)
    })
  })
}

export function passwordTryContract(engine: string, open: OpenSql): void {
  describe(`tries of passwords on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    it('are counted by subject within a period, and removed', async () => {
      const { stores } = opened
      const tries = (since: number) => stores.transaction((tx) => tx.passwordTries.since('mine', since))
      const third = await stores.transaction(async (tx) => {
        await tx.passwordTries.add('mine', NOW + 2)
        await tx.passwordTries.add('mine', NOW + 1)
        await tx.passwordTries.add('another', NOW + 1)
        return tx.passwordTries.add('mine', NOW + 3)
      })
      expect(await tries(NOW)).toEqual([NOW + 1, NOW + 2, NOW + 3])
      expect(await tries(NOW + 1)).toEqual([NOW + 2, NOW + 3])
      await stores.transaction((tx) => tx.passwordTries.remove(third))
      expect(await tries(NOW)).toEqual([NOW + 2])
      expect(await stores.transaction((tx) => tx.passwordTries.removeBefore(NOW + 9, 1))).toBe(1)
      const left = async () => [
        await tries(NOW),
        await stores.transaction((tx) => tx.passwordTries.since('another', NOW)),
      ]
      expect((await left()).flat()).toHaveLength(1)
      expect(await stores.transaction((tx) => tx.passwordTries.removeBefore(NOW + 1, 5))).toBe(0)
    })
  })
}
