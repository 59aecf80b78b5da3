/** Stores that do not belong together stop the start with a message, whatever is wrong with which of them. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quietParts } from '../../../src/cli/with-sql.ts'
import { readConfig } from '../../../src/config.ts'
import type { SqlStores } from '../../../src/model/stores.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { openStores } from '../../../src/stores/open.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { type TestClock, testClock } from '../../support/clock.ts'
import { sentenceOf } from '../../support/command.ts'
import { toEarlierVersion } from '../../support/data-folder/earlier-version.ts'
import { makeEvents, makePerson, makeRecording } from '../../support/make.ts'
import { removeFolder, tempFolder } from '../../support/program.ts'
import { atScale, copyStores, dropStores, needsDuckdb, type Store, storeSettings } from '../../support/stores/stores.ts'

const FILES: Record<Store, RegExp> = { sql: /^hedgerow\.db/, events: /^events\.duckdb/, blobs: /^blobs$/ }

let dataDir: string
let clock: TestClock
beforeEach(() => {
  dataDir = tempFolder()
  clock = testClock()
})
afterEach(() => removeStores(dataDir))

async function removeStores(folder: string): Promise<void> {
  removeFolder(folder)
  await dropStores(folder)
}

const inFolder = (acceptLoss = false) => makeApp({ dataDir, clock, acceptLoss })
async function during<T>(work: (app: TestApp) => Promise<T>, acceptLoss = false): Promise<T> {
  const app = await inFolder(acceptLoss)
  try {
    return await work(app)
  } finally {
    await app.end()
  }
}
/** A run that leaves something in each store; reads wait for the event store. */
const use = () =>
  during(async (app) => {
    clock.advance(1_000)
    await makePerson(app)
    await makeEvents(app, [{}])
    await makeRecording(app, { bytes: 'x'.repeat(100), lastIngestAt: clock.now() })
    const count = await countEvents(app.stores.events, 1)
    // As ten minutes later: what is kept until then would be applied again.
    if (atScale) await app.stores.queueTransaction((tx) => tx.outbox.removeApplied(Number.MAX_SAFE_INTEGER, 1_000))
    return count
  })
/** Once started, it changes nothing before somebody has asked what waits in the outbox. */
function idleUntilRead(stores: SqlStores): SqlStores {
  let isStarted = false
  let tell = () => {}
  const asked = new Promise<void>((resolve) => {
    tell = resolve
  })
  return {
    ...stores,
    async inTurn(name, work) {
      const result = await stores.inTurn(name, work)
      isStarted = true
      return result
    },
    async transaction(work) {
      if (isStarted) await asked
      return stores.transaction(work)
    },
    outbox: {
      ...stores.outbox,
      pending: () => stores.outbox.pending().finally(tell),
    },
  }
}
const refusal = () => sentenceOf(inFolder())
const filesOf = (folder: string, stores: Store[]) =>
  readdirSync(folder).filter((name) => stores.some((store) => FILES[store].test(name)))
const remove = async (...stores: Store[]) => {
  await dropStores(dataDir, stores)
  const names = filesOf(dataDir, stores)
  expect(atScale || names.length > 0).toBe(true)
  for (const name of names) rmSync(join(dataDir, name), { recursive: true })
}
/** Replaces the folder's stores with those of that folder. */
const take = async (from: string, ...stores: Store[]) => {
  await remove(...stores)
  for (const name of filesOf(from, stores)) cpSync(join(from, name), join(dataDir, name), { recursive: true })
  await copyStores(from, dataDir, stores)
}
/** While a server runs its SQL store is not: PostgreSQL copies no database that is in use. */
async function withCopy(work: (copy: string) => Promise<void>, isInUse = false): Promise<void> {
  const copy = tempFolder()
  try {
    cpSync(dataDir, copy, { recursive: true })
    await copyStores(dataDir, copy, isInUse ? ['events', 'blobs'] : undefined)
    await work(copy)
  } finally {
    await removeStores(copy)
  }
}
const losses = async () =>
  during(async (app) => {
    const answer = await app.call('GET', '/api/projects/1/activity_log/', { query: { scope: 'Project' } })
    const entries = answer.json().results as { activity: string; detail: { name: string } }[]
    return entries.filter(({ activity }) => activity === 'loss_accepted').map(({ detail }) => detail.name)
  })

/**
 * The start is refused, with nothing changed; it continues when the loss is accepted, is logged, and all is well then.
 */
async function refused(because: RegExp): Promise<void> {
  const sentence = await refusal()
  expect(sentence).toMatch(because)
  expect(sentence).toMatch(/ Put back the files .* "hedgerow serve --accept-loss" to go on without what is missing\.$/)
  expect(await refusal()).toBe(sentence)
  const logged = await during(async ({ logs }) => logs.filter((line) => line.includes('the loss was accepted')), true)
  expect(logged).toHaveLength(1)
  expect(await losses()).toEqual([expect.stringMatching(because)])
  await use()
  await use()
}

describe('an event store that does not belong to the SQL store is refused', () => {
  it('when it is missing', async () => {
    await use()
    await remove('events')
    await refused(/^The event store is new and empty, but changes up to 2 were handed on to one\./)
  })
  it('when it is an older copy', async () => {
    await use()
    await withCopy(async (copy) => {
      await use()
      await take(copy, 'events')
      await refused(/^The event store is an older copy: it has changes up to 2, but 4 were handed on to it\./)
    })
  })
  it('when it is another installation’s', async () => {
    await use()
    await withCopy(async (copy) => {
      await removeStores(dataDir)
      await use()
      await take(copy, 'events')
      await refused(/^The event store belongs to another installation than the SQL store\./)
    })
  })
})

describe('a SQL store that does not belong to the others is refused', () => {
  it('when it is an older copy; what is written afterwards wins over what the event store knew', async () => {
    const id = await during(async (app) => (await makePerson(app, { distinctIds: ['ann'], properties: { a: 1 } })).id)
    await use()
    const set = (app: TestApp, a: number) =>
      app.call('PATCH', `/api/environments/1/persons/${id}/`, { body: { properties: { a } } })
    await withCopy(async (copy) => {
      await during(async (app) => {
        for (let a = 2; a < 9; a++) await set(app, a)
        await countEvents(app.stores.events, 1)
      })
      await take(copy, 'sql')
      await refused(/^The SQL store is an older copy: the event store has come further\./)
    })
    await during(async (app) => {
      expect((await app.stores.events.personOf(1, 'ann'))?.properties).toEqual({ a: 8 })
      await set(app, 100)
      expect((await app.stores.events.personOf(1, 'ann'))?.properties).toEqual({ a: 100 })
    })
  })
  it('when it is missing', async () => {
    await use()
    await remove('sql')
    const sentence = await refusal()
    expect(sentence).toMatch(
      /^The event store belongs to another installation .* The folder of recordings belongs to another/,
    )
    await during(async ({ first }) => expect(first).not.toBeNull(), true)
    expect(await losses()).toHaveLength(2)
    await use()
  })
  it('when only the recordings are newer', async () => {
    await use()
    await withCopy(async (copy) => {
      await use()
      await use()
      await take(copy, 'sql', 'events')
      await refused(/^The SQL store is an older copy: the folder of recordings has come further\./)
    })
  })
})

describe('a folder of recordings that does not belong to the SQL store is refused', () => {
  it('when it is missing, and when it is new', async () => {
    await use()
    await remove('blobs')
    await refused(/^The folder of recordings is new, but there are recordings\./)
    await remove('blobs')
    if (!atScale) mkdirSync(join(dataDir, 'blobs'))
    expect(await refusal()).toMatch(/^The folder of recordings is new/)
  })
  it('when it is an older copy', async () => {
    await use()
    await withCopy(async (copy) => {
      await use()
      await take(copy, 'blobs')
      await refused(/^The folder of recordings is an older copy\./)
    })
  })
  it('when it is a copy of the same start that lacks the newest bytes', async () => {
    const app = await inFolder()
    await makeRecording(app, { bytes: 'x' })
    await withCopy(async (copy) => {
      await makeRecording(app, { bytes: 'y', sessionId: 'newest' })
      await app.end()
      await take(copy, 'blobs')
    }, true)
    await refused(/^Bytes of recordings are missing, such as those of the session newest\./)
  })
  it('when it is another installation’s', async () => {
    await use()
    await withCopy(async (copy) => {
      await removeStores(dataDir)
      await use()
      await take(copy, 'blobs')
      await refused(/^The folder of recordings belongs to another installation than the SQL store\./)
    })
  })
})

describe('what is accepted silently', () => {
  it('is a new event store and a new folder of recordings next to a SQL store that has nothing in them', async () => {
    await during(async () => {})
    await remove('events', 'blobs')
    await use()
    expect(await losses()).toEqual([])
  })
  it('is a whole folder that was copied', async () => {
    await use()
    await withCopy(async (copy) => {
      await use()
      await take(copy, 'sql', 'events', 'blobs')
      expect(await use()).toBe(2)
    })
  })
  it.runIf(atScale)('is an event store that is missing while all that it had is kept: it gets it again', async () => {
    const make = async (app: TestApp) => {
      await makeEvents(app, [{}, {}])
      return countEvents(app.stores.events, 1)
    }
    expect(await during(make)).toBe(2)
    await remove('events')
    expect(await during((app) => countEvents(app.stores.events, 1))).toBe(2)
    expect(await losses()).toEqual([])
  })
  it.runIf(atScale)('and the first read waits for that', async () => {
    await during(async (app) => {
      await makeEvents(app, [{}, {}])
      await countEvents(app.stores.events, 1)
    })
    await remove('events')
    const config = readConfig({ HEDGEROW_DATA_DIR: dataDir, ...(await storeSettings(dataDir)) })
    const stores = await openStores(config, { ...quietParts(pino({ enabled: false })), clock, wrapSql: idleUntilRead })
    try {
      expect(await countEvents(stores.events, 1)).toBe(2)
    } finally {
      await stores.close()
    }
  })
  it('is a loss that was accepted where there is none', async () => {
    await use()
    await during(async () => {}, true)
    expect(await losses()).toEqual([])
  })
})

describe.skipIf(needsDuckdb('an earlier version'))('a folder of an earlier version', () => {
  const earlier = async () => {
    await use()
    await toEarlierVersion(dataDir)
  }

  it('is stamped once, and checked from then on', async () => {
    await earlier()
    expect(await use()).toBe(2)
    expect(existsSync(join(dataDir, 'blobs', '~installation'))).toBe(true)
    await remove('events')
    await refused(/^The event store is new and empty/)
  })
  it('is stamped only once: its earlier event store is not accepted again', async () => {
    await earlier()
    await withCopy(async (copy) => {
      await use()
      await take(copy, 'events')
      await refused(
        /^The event store is an older copy: it has changes up to 2, but is without this installation’s id\./,
      )
    })
  })
  it('is checked even before anything was relayed since', async () => {
    await earlier()
    await during(async () => {})
    await remove('events')
    await refused(/^The event store is new and empty, but changes up to 2 were handed on to one\./)
  })
  it('is refused when its event store is missing', async () => {
    await earlier()
    await remove('events')
    await refused(/^The event store is new and empty/)
  })
  it('is refused when its recordings are missing', async () => {
    await earlier()
    await remove('blobs')
    await refused(/^Bytes of recordings are missing/)
  })
  it('is refused when its SQL store is an older copy', async () => {
    await use()
    await withCopy(async (copy) => {
      await use()
      await take(copy, 'sql')
      await toEarlierVersion(dataDir)
      await refused(/^The SQL store is an older copy: the event store has come further\./)
    })
  })
})
