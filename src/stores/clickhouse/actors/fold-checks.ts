/** What writing owners into events has to do on every release. */
import { expect, it } from 'vitest'
import { makeBatch, makeEvent, NOON } from '../../contract/batch-builders.ts'
import { applyBatches } from '../apply-batches.ts'
import type { Parts } from '../parts.ts'
import { foldOverrides } from './fold-overrides.ts'
import { settleOverrides } from './settle-overrides.ts'

const PROJECT = 4_000_000_000
const NOBODYS = 'nobody’s'

export function foldChecks(parts: () => Parts): void {
  it('has each event say who owns its id now, of known people and of nobody, and needs no override any more', async () => {
    const { servers } = parts()
    const ids = ['ann', 'bob', NOBODYS]
    const event = (distinctId: string, personId: number | null) =>
      makeEvent(PROJECT, { distinctId, personId, timestamp: NOON, properties: { plan: 'free' } })
    const owner = (distinctId: string, personId: number | null) => ({ projectId: PROJECT, distinctId, personId })
    const large = 5_000_000_000
    await applyBatches(
      parts(),
      [
        makeBatch(1, {
          events: ids.map((id, n) => event(id, n + 1)),
          distinctIds: ids.map((id, n) => owner(id, n + 1)),
        }),
        makeBatch(2, { distinctIds: [owner('ann', large), owner(NOBODYS, null)] }),
      ],
      NOON,
    )
    await settleOverrides(servers, 1)
    expect(await foldOverrides(servers, 1)).toBe(true)
    const mine = `project_id = ${PROJECT}`
    const said = await servers.rows(
      `SELECT distinct_id, if(actor = id_hash, 'nobody', toString(actor)), vals FROM events WHERE ${mine}`,
    )
    expect(said.toSorted()).toEqual([
      ['ann', String(large), ['"free']],
      ['bob', '2', ['"free']],
      [NOBODYS, 'nobody', ['"free']],
    ])
    expect(await servers.rows(`SELECT id_hash FROM overrides WHERE ${mine}`)).toEqual([])
    expect(await foldOverrides(servers, 1)).toBe(false)
  })
}
