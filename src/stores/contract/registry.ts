/**
 * All contract suites, by the port they test. One call of `sqlStoreContract`, `eventStoreContract` or
 * `blobStoreContract` runs an engine through every suite of its port. A suite is an exported function of a
 * `.contract.ts` file below this folder; `registry.test.ts` fails when one is missing here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../model/blob.ts'
import type { EventStore } from '../../model/events/event.ts'
import { applyEvents, makeBatch, makeEvent, NOON, type Opened, timesOf } from './batch-builders.ts'
import {
  appending,
  type Opened as BlobsOpened,
  keepingParts,
  listing,
  puttingAndGetting,
  removing,
} from './blob.contract.ts'
import { dataVersions } from './events/data-version.contract.ts'
import { definitions } from './events/definition.contract.ts'
import { erasing } from './events/erasure.contract.ts'
import { applying, projecting, projects, timelines } from './events/event.contract.ts'
import { unwantedReads } from './events/event-deadline.contract.ts'
import { eventListing, eventPropertyFilters } from './events/event-list.contract.ts'
import { funnels, lifecycles, retentions } from './events/insight.contract.ts'
import { insightsOfAnySize } from './events/insight-size.contract.ts'
import { earlierPeople, manyPeople, personFilters, personSearch } from './events/person-search.contract.ts'
import { personTotals } from './events/person-totals.contract.ts'
import { rowCounts } from './events/row-count.contract.ts'
import { channels, sessionComputation, sessionListing } from './events/session.contract.ts'
import { sessionLists } from './events/session-list.contract.ts'
import { sums } from './events/sum.contract.ts'
import { trends } from './events/trend.contract.ts'
import { liveEventContract } from './live-event.contract.ts'
import type { OpenSql } from './open-sql.ts'
import type { SuiteLength } from './property-filter-cases.ts'
import { activityContract } from './sql/activity.contract.ts'
import { clockStateContract } from './sql/clock-state.contract.ts'
import { countedRequestContract } from './sql/counted-requests.contract.ts'
import { dashboardContract } from './sql/dashboard.contract.ts'
import { deletionContract, deletionRunContract } from './sql/deletion.contract.ts'
import { deliveryContract } from './sql/delivery.contract.ts'
import { idempotencyContract } from './sql/idempotency.contract.ts'
import { insightCacheContract } from './sql/insight-cache.contract.ts'
import { installationContract } from './sql/installation.contract.ts'
import { eventUuidContract, warningContract } from './sql/intake.contract.ts'
import { isolationContract, jobIsolationContract } from './sql/isolation.contract.ts'
import { jobContract } from './sql/job.contract.ts'
import { membershipContract } from './sql/membership.contract.ts'
import { outboxContract } from './sql/outbox.contract.ts'
import { peopleIsolationContract } from './sql/persons/people-isolation.contract.ts'
import { personContract } from './sql/persons/person.contract.ts'
import { personCountContract } from './sql/persons/person-count.contract.ts'
import { personRowsContract } from './sql/persons/person-rows.contract.ts'
import { propertyHistoryContract } from './sql/persons/property-history.contract.ts'
import { undoContract } from './sql/persons/undo.contract.ts'
import { recordingContract } from './sql/recording.contract.ts'
import { recordingBytesContract } from './sql/recording-bytes.contract.ts'
import { recordingIntakeContract } from './sql/recording-intake.contract.ts'
import { recordingPersonContract } from './sql/recording-person.contract.ts'
import { scanContract } from './sql/scan.contract.ts'
import { scanListContract } from './sql/scan-list.contract.ts'
import { sharingContract } from './sql/sharing.contract.ts'
import { accountLinkContract, passwordTryContract, signInContract } from './sql/sign-in.contract.ts'
import { subscriptionContract } from './sql/subscription.contract.ts'
import { transactionContract } from './sql/transaction.contract.ts'

export const SQL_SUITES: ((engine: string, open: OpenSql) => void)[] = [
  accountLinkContract,
  activityContract,
  clockStateContract,
  countedRequestContract,
  dashboardContract,
  deletionContract,
  deletionRunContract,
  deliveryContract,
  eventUuidContract,
  idempotencyContract,
  insightCacheContract,
  installationContract,
  isolationContract,
  jobIsolationContract,
  peopleIsolationContract,
  jobContract,
  liveEventContract,
  membershipContract,
  outboxContract,
  passwordTryContract,
  personContract,
  personCountContract,
  personRowsContract,
  propertyHistoryContract,
  recordingContract,
  recordingBytesContract,
  recordingIntakeContract,
  recordingPersonContract,
  scanContract,
  scanListContract,
  sharingContract,
  signInContract,
  subscriptionContract,
  transactionContract,
  undoContract,
  warningContract,
]

/** `open` returns a new, empty store each time. */
export function sqlStoreContract(engine: string, open: OpenSql): void {
  for (const suite of SQL_SUITES) suite(engine, open)
}

export const EVENT_SUITES = {
  applying,
  people: projecting,
  'searching people': personSearch,
  'property filters of people': personFilters,
  'many people': manyPeople,
  'people of an earlier version': earlierPeople,
  timeline: timelines,
  'totals of a person': personTotals,
  sessions: sessionComputation,
  'channel type': channels,
  'session values': sessionListing,
  'lists of sessions': sessionLists,
  listing: eventListing,
  'property filters': eventPropertyFilters,
  definitions,
  'reads that nobody waits for': unwantedReads,
  trends,
  'sums and averages': sums,
  funnels,
  retention: retentions,
  lifecycle: lifecycles,
  'version of the data': dataVersions,
  'insights of any size': insightsOfAnySize,
  'any number of rows': rowCounts,
  projects,
  erasing,
} satisfies Record<string, (opened: () => Opened, length: SuiteLength) => void>

interface EventStoreOptions {
  /** False for an in-memory store. */
  survivesClosing?: boolean
  /** Slow suites that another variant of the same engine runs. */
  leaveOut?: (keyof typeof EVENT_SUITES)[]
  /** Short ones of property filters and of lists of sessions, where another variant or release has the full ones. */
  length?: SuiteLength
}

export interface StorePlace {
  /** The same store each time. */
  open(): Promise<EventStore>
  /** When it has been closed for good. */
  remove?(): Promise<unknown>
}

/**
 * `newPlace` returns a new, empty store each time. Each test uses projects of its own, so that one store serves the tests
 * of a suite; one for all suites would have so many rows in the end that each question takes several times as long.
 */
export function eventStoreContract(
  engine: string,
  newPlace: () => StorePlace | Promise<StorePlace>,
  { survivesClosing = true, leaveOut = [], length = 'full' }: EventStoreOptions = {},
): void {
  let lastProject = 0

  /** `tests` of one store. */
  function describeStore(name: string, tests: (opened: () => Opened, reopen: () => Promise<EventStore>) => void): void {
    describe(name, () => {
      let place: StorePlace
      let store: EventStore
      beforeAll(async () => {
        place = await newPlace()
        store = await place.open()
      })
      afterAll(async () => {
        await store?.close()
        await place?.remove?.()
      })
      const reopen = async () => {
        await store.close()
        store = await place.open()
        return store
      }
      const opened = () => ({ store, projectId: ++lastProject, ...(survivesClosing ? { reopen } : {}) })
      tests(opened, reopen)
    })
  }

  describe(`event store: ${engine}`, () => {
    for (const [name, suite] of Object.entries(EVENT_SUITES)) {
      if (!leaveOut.includes(name as keyof typeof EVENT_SUITES)) describeStore(name, (opened) => suite(opened, length))
    }

    describeStore('as such', (opened, reopen) => {
      it('answers a ping', async () => {
        await expect(opened().store.ping()).resolves.toBeUndefined()
      })

      if (!survivesClosing) return
      it('has everything after it was closed and opened again', async () => {
        const here = opened()
        const events = [1, 2].map((timestamp) => makeEvent(here.projectId, { timestamp }))
        const batch = makeBatch(1, { events })
        await here.store.apply([batch], NOON)
        await here.store.close()
        await here.store.close()
        await expect(here.store.ping()).rejects.toThrow()
        const store = await reopen()
        await store.apply([batch], NOON)
        await applyEvents({ ...here, store }, [{ timestamp: 3 }])
        expect(await timesOf({ ...here, store }, 'ann')).toEqual([1, 2, 3])
      })
    })
  })
}

export const BLOB_SUITES: ((opened: BlobsOpened) => void)[] = [
  puttingAndGetting,
  removing,
  listing,
  appending,
  keepingParts,
]

/** `open` returns the same store each time. */
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
