/** A log tells what happened: a server with nothing to do, or whose work removes nothing, writes nothing. */
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createDeletionsFeature } from '../../../src/features/deletions/deletions.feature.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

const DAY = 86_400_000

let app: TestApp
afterEach(() => app.end())

/** Without the requests themselves, which are logged at debug level. */
const lines = (): { msg: string }[] => app.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 30)

/** Three weeks, a day at a time: every line of the schedule has its turn. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    app.clock.advance(DAY - 1)
    await app.runner.runDue()
  }
}

it('is empty when nothing happens', async () => {
  app = await makeApp()
  await pass(21)
  expect(lines()).toEqual([])
})

it('does not say that room was given back when there was none', async () => {
  app = await makeApp()
  const withSizes = (after: number) => {
    const events = { ...app.stores.events, compact: async () => ({ before: 10, after }) }
    const logger = pino({ level: 'info' }, { write: (line: string) => void app.logs.push(line) })
    return createDeletionsFeature({ stores: { ...app.stores, events }, clock: app.clock, logger })
  }
  await withSizes(10).run({ dueAt: app.clock.now() })
  await withSizes(12).run({ dueAt: app.clock.now() })
  expect(lines()).toEqual([])
  await withSizes(9).run({ dueAt: app.clock.now() })
  expect(lines()).toMatchObject([{ before: 10, after: 9, msg: 'the event store gave room back' }])
})
