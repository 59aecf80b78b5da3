/**
 * All contract suites, by the port they test. An engine is put under every suite of its port by one call of
 * `sqlStoreContract`, `eventStoreContract` or `blobStoreContract`. A suite is an exported function of a `.contract.ts`
 * file of this folder; `registry.test.ts` fails when one is missing here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../model/blob.ts'
import type { EventStore } from '../../model/event.ts'
import { activityContract } from './activity.contract.ts'
import { appending, type Opened as BlobsOpened, listing, puttingAndGetting, removing } from './blob.contract.ts'
import { clockStateContract } from './clock-state.contract.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { definitions } from './definition.contract.ts'
import { deletionContract } from './deletion.contract.ts'
import { deliveryContract } from './delivery.contract.ts'
import { erasing } from './erasure.contract.ts'
import { applying, projecting, projects, timelines } from './event.contract.ts'
import { unwantedReads } from './event-deadline.contract.ts'
import { eventListing, eventPropertyFilters } from './event-list.contract.ts'
import { funnels, lifecycles, retentions } from './insight.contract.ts'
import { insightCacheContract } from './insight-cache.contract.ts'
import { insightsOfAnySize } from './insight-size.contract.ts'
import { installationContract } from './installation.contract.ts'
import { jobContract } from './job.contract.ts'
import { applyEvents, makeBatch, makeEvent, NOON, type Opened, timesOf } from './made-batch.ts'
import { membershipContract } from './membership.contract.ts'
import type { OpenSql } from './open-sql.ts'
import { outboxContract } from './outbox.contract.ts'
import { personContract } from './person.contract.ts'
import { personFilterContract } from './person-filter.contract.ts'
import { recordingContract } from './recording.contract.ts'
import { recordingIntakeContract } from './recording-intake.contract.ts'
import { recordingPersonContract } from './recording-person.contract.ts'
import { rowCounts } from './row-count.contract.ts'
import { scanContract } from './scan.contract.ts'
import { scanListContract } from './scan-list.contract.ts'
import { channels, sessionComputation, sessionListing } from './session.contract.ts'
import { sharingContract } from './sharing.contract.ts'
import { subscriptionContract } from './subscription.contract.ts'
import { transactionContract } from './transaction.contract.ts'
import { trends } from './trend.contract.ts'
import { warningContract } from './warning.contract.ts'

export const SQL_SUITES: ((engine: string, open: OpenSql) => void)[] = [
  activityContract,
  clockStateContract,
  dashboardContract,
  deletionContract,
  deliveryContract,
  insightCacheContract,
  installationContract,
  jobContract,
  membershipContract,
  outboxContract,
  personContract,
  personFilterContract,
  recordingContract,
  recordingIntakeContract,
  recordingPersonContract,
  scanContract,
  scanListContract,
  sharingContract,
  subscriptionContract,
  transactionContract,
  warningContract,
]

/** `open` gives a new, empty store each time. */
export function sqlStoreContract(engine: string, open: OpenSql): void {
  for (const suite of SQL_SUITES) suite(engine, open)
}

export const EVENT_SUITES = {
  applying,
  people: projecting,
  timeline: timelines,
  sessions: sessionComputation,
  'channel type': channels,
  'session values': sessionListing,
  listing: eventListing,
  'property filters': eventPropertyFilters,
  definitions,
  'reads that nobody waits for': unwantedReads,
  trends,
  funnels,
  retention: retentions,
  lifecycle: lifecycles,
  'insights of any size': insightsOfAnySize,
  'any number of rows': rowCounts,
  projects,
  erasing,
} satisfies Record<string, (opened: () => Opened) => void>

interface EventStoreOptions {
  /** False for a store that lives in memory. */
  survivesClosing?: boolean
  /** Slow suites that another variant of the same engine runs. */
  leaveOut?: (keyof typeof EVENT_SUITES)[]
}

/** `open` gives the same store each time. Each test keeps to projects of its own, so that one store serves them all. */
export function eventStoreContract(
  engine: string,
  open: () => Promise<EventStore>,
  { survivesClosing = true, leaveOut = [] }: EventStoreOptions = {},
): void {
  describe(`event store: ${engine}`, () => {
    let store: EventStore
    let lastProject = 0
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())
    const opened = () => ({ store, projectId: ++lastProject })

    for (const [name, suite] of Object.entries(EVENT_SUITES)) {
      if (!leaveOut.includes(name as keyof typeof EVENT_SUITES)) describe(name, () => suite(opened))
    }

    it('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined()
    })

    if (!survivesClosing) return
    it('has everything again after it was closed and opened', async () => {
      const here = opened()
      const events = [1, 2].map((timestamp) => makeEvent(here.projectId, { timestamp }))
      const batch = makeBatch(1, { events })
      await store.apply([batch], NOON)
      await store.close()
      await store.close()
      await expect(store.ping()).rejects.toThrow()
      store = await open()
      await store.apply([batch], NOON)
      await applyEvents({ ...here, store }, [{ timestamp: 3 }])
      expect(await timesOf({ ...here, store }, 'ann')).toEqual([1, 2, 3])
    })
  })
}

export const BLOB_SUITES: ((opened: BlobsOpened) => void)[] = [puttingAndGetting, removing, listing, appending]

/** `open` gives the same store each time. */
export function blobStoreContract(engine: string, open: () => Promise<BlobStore> | BlobStore): void {
  describe(`blob store: ${engine}`, () => {
    let store: BlobStore
    let tests = 0
    beforeAll(async () => {
      store = await open()
    })
    const opened = () => ({ store, prefix: `test-${++tests}` })

    for (const suite of BLOB_SUITES) suite(opened)

    it('still has what was put when it is opened again', async () => {
      const { prefix } = opened()
      await store.put(`${prefix}/k`, Buffer.from('stays'))
      const again = await open()
      expect(await again.get(`${prefix}/k`)).toEqual(Buffer.from('stays'))
    })
  })
}
