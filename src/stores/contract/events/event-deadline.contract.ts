/** Reads of events end when nobody waits for them any more. When they take too long is up to each engine's own tests. */
import { expect, it } from 'vitest'
import { applySession, type Opened } from '../batch-builders.ts'
import { readsOf } from '../event-reads.ts'

export function unwantedReads(opened: () => Opened): void {
  it('ends each of them with `timeout`, and answers whoever comes next', async () => {
    const here = opened()
    const sessionId = await applySession(here, [{ properties: { $current_url: 'https://a.example/' } }])
    const controller = new AbortController()
    controller.abort()
    for (const [name, read] of Object.entries(readsOf(here.store, { ...here, sessionId }))) {
      await expect(read(controller.signal), name).rejects.toMatchObject({ kind: 'timeout', code: 'timeout' })
      await expect(read(new AbortController().signal), name).resolves.toEqual(await read())
    }
  })
}
