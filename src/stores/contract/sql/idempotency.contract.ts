import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdempotencyWriter } from '../../../model/idempotency.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { NOW } from '../sql-builders.ts'

export function idempotencyContract(engine: string, open: OpenSql): void {
  describe(`remembered answers on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const run = <T>(work: (idempotency: IdempotencyWriter) => Promise<T>) =>
      opened.stores.transaction((tx) => work(tx.idempotency))
    const keyOf = (token: string) => ({ keyId: 'key', projectId: 1, token })

    it('are found by key, project and token', async () => {
      const key = keyOf('found')
      await run((idempotency) => idempotency.claim({ ...key, claimedAt: NOW }, 'hash'))
      const claimed = { bodyHash: 'hash', claimedAt: NOW, status: null, body: null }
      expect(await run((idempotency) => idempotency.find(key))).toEqual(claimed)
      for (const other of [{ keyId: 'other' }, { projectId: 2 }, { token: 'other' }]) {
        expect(await run((idempotency) => idempotency.find({ ...key, ...other }))).toBeNull()
      }
    })

    it('are those of the latest claim only, and of it the first', async () => {
      const key = keyOf('claimed')
      const slow = { ...key, claimedAt: NOW }
      const quick = { ...key, claimedAt: NOW + 1 }
      await run((idempotency) => idempotency.claim(slow, 'first'))
      await run((idempotency) => idempotency.claim(quick, 'second'))
      expect(await run((idempotency) => idempotency.finish(slow, 201, 'slow'))).toBe(false)
      expect(await run((idempotency) => idempotency.finish(quick, 201, 'quick'))).toBe(true)
      expect(await run((idempotency) => idempotency.finish(quick, 201, 'twice'))).toBe(false)
      await run((idempotency) => idempotency.abandon(quick))
      const answered = { bodyHash: 'second', claimedAt: NOW + 1, status: 201, body: 'quick' }
      expect(await run((idempotency) => idempotency.find(key))).toEqual(answered)
      await run((idempotency) => idempotency.claim({ ...key, claimedAt: NOW + 2 }, 'third'))
      expect(await run((idempotency) => idempotency.find(key))).toEqual({
        bodyHash: 'third',
        claimedAt: NOW + 2,
        status: null,
        body: null,
      })
    })

    it('are none once the claim is abandoned, by its holder', async () => {
      const claim = { ...keyOf('abandoned'), claimedAt: NOW }
      await run((idempotency) => idempotency.claim(claim, 'hash'))
      await run((idempotency) => idempotency.abandon({ ...claim, claimedAt: NOW - 1 }))
      expect(await run((idempotency) => idempotency.find(claim))).not.toBeNull()
      await run((idempotency) => idempotency.abandon(claim))
      expect(await run((idempotency) => idempotency.find(claim))).toBeNull()
    })
  })
}
