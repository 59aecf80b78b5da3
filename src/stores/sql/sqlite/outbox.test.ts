import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeEvent, NOON } from '../../contract/batch-builders.ts'
import { openSql } from '../../open.ts'

it('reports with each commit how much waits, and counts neither what was rolled back nor what is in progress', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-outbox-'))
  const { stores, onCommit, close } = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  const waiting: number[] = []
  onCommit((characters) => waiting.push(characters))
  const add = (id: string, fails = false) =>
    stores.transaction(async (tx) => {
      await tx.outbox.add({ id, seq: 1, events: [makeEvent(1)], persons: [], distinctIds: [] }, NOON)
      if (fails) throw new Error('taken back')
    })
  await add('00000000-0000-7000-8000-000000000001')
  await expect(add('00000000-0000-7000-8000-000000000002', true)).rejects.toThrow('taken back')
  await add('00000000-0000-7000-8000-000000000003')
  const size = (await stores.outbox.peek(1))[0]?.text.length ?? 0
  await add('00000000-0000-7000-8000-000000000004')
  expect(waiting).toEqual([size, 2 * size, 2 * size])
  await close()
  rmSync(dataDir, { recursive: true })
})
