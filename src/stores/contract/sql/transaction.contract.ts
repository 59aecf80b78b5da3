import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { NOW } from '../sql-builders.ts'

const job = (key: string) => ({ kind: 'mail', key, projectId: null, payload: {}, runAt: NOW })

export function transactionContract(engine: string, open: OpenSql): void {
  describe.each(['transaction', 'relaxed'] as const)(`%s on ${engine}`, (kind) => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    const due = async () => (await opened.stores.jobs.backlog(NOW)).due

    it('is committed when the work is done', async () => {
      expect(await opened.stores[kind]((tx) => tx.jobs.add(job('a')))).toBe(true)
      expect(await due()).toBe(1)
    })

    it('leaves nothing behind when the work fails, and the next one is committed', async () => {
      const failing = opened.stores[kind](async (tx) => {
        await tx.jobs.add(job('a'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await due()).toBe(0)
      await opened.stores[kind]((tx) => tx.jobs.add(job('b')))
      expect(await due()).toBe(1)
    })

    it('runs one after the other with concurrent ones', async () => {
      const keys = Array.from({ length: 20 }, (_, n) => `job ${n}`)
      await Promise.all(
        keys.map((key, n) => opened.stores[n % 2 ? kind : 'transaction']((tx) => tx.jobs.add(job(key)))),
      )
      expect(await due()).toBe(keys.length)
    })
  })
}
