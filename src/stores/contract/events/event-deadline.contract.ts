/** Reads of events end when they are aborted. What happens when they take too long is tested per engine. */
import { expect, it } from 'vitest'
import { applySession, type Opened } from '../batch-builders.ts'
import { readsOf } from '../event-reads.ts'

export function unwantedReads(opened: () => Opened): void {
  it('ends each of them with `timeout`, and answers the next read', async () => {
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
