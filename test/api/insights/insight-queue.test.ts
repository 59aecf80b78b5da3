/** Insights that wait for others to be computed. */
import { afterAll, expect, it } from 'vitest'
import { createCompute } from '../../../src/features/insights/compute/compute.ts'
import type { Project } from '../../../src/model/accounts/project.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import { makeApp } from '../../support/app.ts'

const app = await makeApp()
afterAll(() => app.end())
const project = (await app.stores.projects.find(1)) as Project

it('wait for their turn, two being computed, until twenty wait; more are refused, but no report', async () => {
  const held: (() => void)[] = []
  let isHolding = true
  const trend: EventStore['trend'] = async (question) => {
    if (isHolding) await new Promise<void>((resolve) => void held.push(resolve))
    return app.stores.events.trend(question)
  }
  const stores = { ...app.stores, events: { ...app.stores.events, trend } }
  const compute = createCompute({ stores, clock: app.clock })
  const ended: string[] = []
  /** The n-th of many different questions. */
  const ask = async (n: number, isBackground = false) => {
    const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: `event ${n}` }] }
    try {
      await compute.computeQuery(project, query, { isBackground })
      ended.push('computed')
    } catch (error) {
      expect(error).toMatchObject({
        kind: 'unavailable',
        retryAfterSeconds: 5,
        message: 'Too many insights wait to be computed. Try again in a few seconds.',
      })
      ended.push('refused')
    }
  }
  const asked = Array.from({ length: 25 }, (_, n) => ask(n))
  await expect.poll(() => ended.length).toBe(3)
  expect([ended, held.length]).toEqual([['refused', 'refused', 'refused'], 2])
  asked.push(ask(30, true))
  isHolding = false
  for (const release of held) release()
  await Promise.all(asked)
  expect(ended.filter((end) => end === 'computed')).toHaveLength(23)
})
