/**
 * What every SQL adapter must do when it scans thousands of rows: return exactly the pages and counts of a plain
 * computation over the same rows, whatever portions it works in.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunks } from '../../../lib/lists/lists.ts'
import { PAGE_BYTES } from '../../../model/page.ts'
import type { PersonCursor, PersonLookup, PersonPage } from '../../../model/persons/person.ts'
import { NOBODY } from '../../../model/persons/person-search.ts'
import {
  CANDIDATES_AT_ONCE,
  type CandidateQuestions,
  type RecordingCandidates,
  type RecordingCondition,
  type RecordingFilter,
  type RecordingOrder,
  type RecordingPlace,
} from '../../../model/recordings/recording.ts'
import type { SqlStores, SqlWriters } from '../../../model/stores.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { EVERYTHING, newRecording } from '../recording-builders.ts'
import { NOW } from '../sql-builders.ts'

const PERSONS = 12_500
/** More than the candidates that come at once. */
const RECORDINGS = 16_500
const PROJECT = 71
const OTHER_PROJECT = 72
const RECORDED_PROJECT = 74

/** Many share an instant: ties span portions. */
const createdAt = (n: number): number => NOW + (n % 7 === 0 ? 0 : Math.floor(n / 3))
/** More than a portion have the same. */
const emailOf = (n: number): string => (n % 2 === 0 ? `user-${n}@example.com` : 'team@example.com')

interface Made {
  id: number
  createdAt: number
  n: number
}

async function makePersons(stores: SqlStores): Promise<Made[]> {
  const made: Made[] = []
  const add = async (tx: SqlWriters, projectId: number, numbers: number[]): Promise<number[]> => {
    const rows = numbers.map((n) => ({
      uuid: randomUUID(),
      properties: JSON.stringify({ n, email: emailOf(n) }),
      isIdentified: true,
      createdAt: createdAt(n),
      lastSeenAt: null,
    }))
    const ids = (await tx.intake.addPersons(projectId, rows, NOW)).map(Number)
    const distinctIds = numbers.map((n, place) => ({ distinctId: `id-${n}`, personId: ids[place] as number }))
    await tx.intake.addDistinctIds(projectId, distinctIds)
    return ids
  }
  for (const part of chunks([...Array(PERSONS).keys()], 1_000)) {
    const ids = await stores.transaction(async (tx) => {
      const own = await add(tx, PROJECT, part)
      await add(
        tx,
        OTHER_PROJECT,
        part.filter((n) => n % 5 === 0),
      )
      return own
    })
    made.push(...part.map((n, place) => ({ id: ids[place] as number, createdAt: createdAt(n), n })))
  }
  return made.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
}

const LOOKUPS: [name: string, lookup: PersonLookup, holds: (n: number) => boolean][] = [
  ['none', {}, () => true],
  ['an e-mail that many have', { email: 'team@example.com' }, (n) => emailOf(n) === 'team@example.com'],
  ['an e-mail of one', { email: 'user-4322@example.com' }, (n) => n === 4_322],
  ['nobody', { email: 'nobody@example.com' }, () => false],
  ['one distinct id', { distinctId: 'id-4321' }, (n) => n === 4_321],
]

function persons(opened: () => SqlStores): void {
  let all: Made[]
  beforeAll(async () => {
    all = await makePersons(opened())
  })

  describe.each(LOOKUPS)('persons by %s', (_name, filter, holds) => {
    const expected = () => all.filter(({ n }) => holds(n)).map(({ id }) => id)

    it('are counted', async () => {
      expect(await opened().persons.count(PROJECT, filter)).toBe(expected().length)
    })

    it('are listed in exact pages', async () => {
      const offset = fc.oneof(fc.nat(200), fc.nat(PERSONS + 10))
      const pages = fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), offset, async (limit, start) => {
        const page = await opened().persons.list(PROJECT, filter, { limit, offset: start })
        expect(page.persons.map(({ id }) => id)).toEqual(expected().slice(start, start + limit))
        expect(page.next?.id).toBe(start + limit < expected().length ? page.persons.at(-1)?.id : undefined)
      })
      await fc.assert(pages, { numRuns: 8 })
    })

    it('are walked completely', async () => {
      const walked: number[] = []
      let after: PersonCursor | null = null
      do {
        const page: PersonPage = await opened().persons.listAfter(PROJECT, filter, after, 997)
        walked.push(...page.persons.map(({ id }) => id))
        after = page.next
      } while (after)
      expect(walked).toEqual(expected())
    })
  })

  it('are read by their ids, in the order of these, and those that are gone or elsewhere are left out', async () => {
    const { persons, transaction } = opened()
    const facts = { uuid: randomUUID(), properties: {}, isIdentified: true, createdAt: NOW }
    const elsewhere = await transaction((tx) => tx.persons.create({ ...facts, projectId: OTHER_PROJECT }, []))
    const some = all.slice(0, 900).map(({ id }) => id)
    const asked = [some[3], elsewhere.id, -5, ...some.slice(100)].map(Number)
    const { persons: found, taken } = await persons.listByIds(PROJECT, asked, PAGE_BYTES)
    expect(found.map(({ id }) => id)).toEqual([some[3], ...some.slice(100)])
    expect(taken).toBe(asked.length)
    expect(await persons.listByIds(PROJECT, [], PAGE_BYTES)).toEqual({ persons: [], taken: 0 })
    const one = await persons.listByIds(PROJECT, [elsewhere.id, Number(some[0]), Number(some[1])], 1)
    expect([one.persons.map(({ id }) => id), one.taken]).toEqual([[some[0]], 2])
  })
}

function largePersons(opened: () => SqlStores): void {
  const project = 73
  const text = 'x'.repeat(900_000)
  beforeAll(async () => {
    for (const n of Array(40).keys()) {
      const person = { projectId: project, uuid: randomUUID(), properties: { n, text }, isIdentified: false }
      await opened().transaction((tx) => tx.persons.create({ ...person, createdAt: NOW + n }, [`large-${n}`]))
    }
  })

  it('a page ends before it is larger than 16 MB, and the next one continues there', async () => {
    const found: unknown[] = []
    while (found.length < 40) {
      const { persons: page, next } = await opened().persons.list(project, {}, { limit: 40, offset: found.length })
      expect(next?.id).toBe(found.length + page.length < 40 ? page.at(-1)?.id : undefined)
      expect(page.length).toBeGreaterThan(0)
      expect(JSON.stringify(page.map(({ properties }) => properties)).length).toBeLessThanOrEqual(PAGE_BYTES)
      found.push(...page.map(({ properties }) => properties.n))
    }
    expect(found).toEqual([...Array(40).keys()].reverse())
    expect((await opened().persons.list(project, {}, { limit: 40, offset: 0 })).persons).toHaveLength(17)
  })
}

interface MadeRecording {
  sessionId: string
  startAt: number
  clicks: number
  distinctId: string
  /** Whether it is the person's, by its distinct id or because it was assigned to it. */
  isOwned: boolean
}

/** The first kind has more than a portion. */
const distinctIdOf = (n: number): string => (n % 50 === 0 ? 'rare' : n % 3 === 0 ? 'now and then' : 'often')

/** Recordings, most of them of one person. */
async function makeRecordings(stores: SqlStores): Promise<{ made: MadeRecording[]; personId: number }> {
  const made: MadeRecording[] = []
  const person = { projectId: RECORDED_PROJECT, uuid: randomUUID(), properties: {}, isIdentified: true, createdAt: NOW }
  const { id: personId } = await stores.transaction((tx) => tx.persons.create(person, ['often']))
  for (const part of chunks([...Array(RECORDINGS).keys()], 1_000)) {
    // Asked for at once, so that a server is not waited for each time.
    const create = async (tx: SqlWriters, n: number): Promise<MadeRecording> => {
      const sessionId = randomUUID()
      const startAt = NOW + (n % 5 === 0 ? 0 : n * 10)
      const distinctId = distinctIdOf(n)
      const isGiven = n % 100 === 0
      const recording = newRecording({
        projectId: RECORDED_PROJECT,
        sessionId,
        startAt,
        endAt: startAt + 1_000,
        distinctId,
      })
      await tx.recordings.create({ ...recording, counters: { ...recording.counters, clicks: n % 11 } }, [])
      if (isGiven) await tx.recordings.update(RECORDED_PROJECT, sessionId, { personId })
      return { sessionId, startAt, clicks: n % 11, distinctId, isOwned: isGiven || distinctId === 'often' }
    }
    const some = await stores.transaction((tx) => Promise.all(part.map((n) => create(tx, n))))
    made.push(...some)
  }
  return { made, personId }
}

type Whose = 'of anybody' | 'of a person' | 'of many' | 'of few'

const filterOf: Record<Whose, (personId: number) => Partial<RecordingFilter>> = {
  'of anybody': () => ({}),
  'of a person': (personId) => ({ personId }),
  'of many': () => ({ distinctIds: ['often', 'now and then', 'nobody'] }),
  'of few': () => ({ distinctIds: ['rare'] }),
}

const holdsOf: Record<Whose, (row: MadeRecording) => boolean> = {
  'of anybody': () => true,
  'of a person': (row) => row.isOwned,
  'of many': (row) => row.distinctId !== 'rare',
  'of few': (row) => row.distinctId === 'rare',
}

type CandidateRow = [sessionId: string, ...numbers: (number | undefined)[]]

const bySession = ([a]: CandidateRow, [b]: CandidateRow): number => (a < b ? -1 : 1)

/** All portions: id, start, what it is ordered by, owner, and the results of the tests. */
async function walkCandidates(stores: SqlStores, filter: RecordingFilter, questions: CandidateQuestions) {
  const { recordings } = stores
  const { tests } = questions
  const found: CandidateRow[] = []
  let from: RecordingPlace | null = null
  do {
    const portion: RecordingCandidates = await recordings.candidates(RECORDED_PROJECT, filter, questions, from, NOW)
    const { sessionIds, startAt, by, owners, holds } = portion
    expect(sessionIds.length).toBeLessThanOrEqual(CANDIDATES_AT_ONCE)
    expect(owners).toHaveLength(questions.withOwners ? sessionIds.length : 0)
    for (const [row, id] of sessionIds.entries()) {
      const results = holds.subarray(row * tests.length, (row + 1) * tests.length)
      found.push([id, startAt[row], by[row], owners[row], ...results])
    }
    from = portion.next
  } while (from !== null)
  return found
}

function recordings(opened: () => SqlStores): void {
  let all: MadeRecording[]
  let personId: number
  beforeAll(async () => {
    ;({ made: all, personId } = await makeRecordings(opened()))
  })

  const sorted = (rows: MadeRecording[], by: RecordingOrder, ascending: boolean) => {
    const key = (row: MadeRecording) => (by === 'start_time' ? row.startAt : row.clicks)
    const sign = ascending ? 1 : -1
    return rows.toSorted(
      (a, b) => sign * (key(a) - key(b)) || b.startAt - a.startAt || (a.sessionId < b.sessionId ? -1 : 1),
    )
  }

  it.each<[RecordingOrder, boolean]>([
    ['start_time', false],
    ['start_time', true],
    ['click_count', false],
    ['click_count', true],
  ])('recordings are listed by %s, ascending: %s, in exact pages', async (by, ascending) => {
    const span = fc.tuple(fc.nat(RECORDINGS * 10), fc.nat(RECORDINGS * 10))
    const asked = fc.record({
      limit: fc.integer({ min: 1, max: 1_000 }),
      offset: fc.nat(RECORDINGS),
      span,
      some: fc.boolean(),
      whose: fc.constantFrom<Whose>('of anybody', 'of a person', 'of many', 'of few'),
      forced: fc.option(fc.nat(RECORDINGS - 1)),
    })
    const pages = fc.asyncProperty(asked, async ({ limit, offset, span: [a, b], some, whose, forced }) => {
      const [startFrom, startTo] = [NOW + Math.min(a, b), NOW + Math.max(a, b)]
      const chosen = forced === null ? null : (all[forced] as MadeRecording)
      const filter: RecordingFilter = {
        ...EVERYTHING,
        startFrom,
        startTo,
        conditions: { join: 'AND', of: some ? [{ measure: 'click_count', comparison: '>', value: 6 }] : [] },
        order: { by, ascending },
        ...filterOf[whose](personId),
        ...(chosen ? { forced: chosen.sessionId } : {}),
      }
      const narrowed = all.filter(
        (row) => row.startAt >= startFrom && row.startAt <= startTo && (!some || row.clicks > 6) && holdsOf[whose](row),
      )
      const others = sorted(
        narrowed.filter((row) => row !== chosen),
        by,
        ascending,
      )
      const expected = (chosen ? [chosen, ...others] : others).map((row) => row.sessionId)
      const page = await opened().recordings.list(RECORDED_PROJECT, filter, { limit, offset }, NOW)
      expect(page.map((row) => row.sessionId)).toEqual(expected.slice(offset, offset + limit))
      expect(await opened().recordings.count(RECORDED_PROJECT, filter, NOW)).toBe(expected.length)
    })
    await fc.assert(pages, { numRuns: 20 })
  })

  it('recordings that may be in a list come in portions, each once, with their persons', async () => {
    const asked = fc.record({
      some: fc.boolean(),
      ascending: fc.boolean(),
      whose: fc.constantFrom<Whose>('of anybody', 'of a person', 'of many', 'of few'),
      forced: fc.option(fc.nat(RECORDINGS - 1)),
      withOwners: fc.boolean(),
    })
    const tests: RecordingCondition[] = [
      { measure: 'click_count', comparison: '>=', value: 3 },
      { join: 'OR', of: [] },
      { measure: 'click_count', comparison: '=', value: 8 },
    ]
    const portions = fc.asyncProperty(asked, async ({ some, ascending, whose, forced, withOwners }) => {
      const chosen = forced === null ? null : (all[forced] as MadeRecording)
      const filter: RecordingFilter = {
        ...EVERYTHING,
        conditions: { join: 'AND', of: some ? [{ measure: 'click_count', comparison: '>', value: 6 }] : [] },
        order: { by: 'start_time', ascending },
        ...filterOf[whose](personId),
        ...(chosen ? { forced: chosen.sessionId } : {}),
      }
      const found = await walkCandidates(opened(), filter, { tests, withOwners })
      const expected = all
        .filter((row) => row !== chosen && (!some || row.clicks > 6) && holdsOf[whose](row))
        .map(({ sessionId, startAt, clicks, isOwned }): CandidateRow => {
          const owner = withOwners ? (isOwned ? personId : NOBODY) : undefined
          return [sessionId, startAt, startAt, owner, Number(clicks >= 3), 0, Number(clicks === 8)]
        })
      expect(found.toSorted(bySession)).toEqual(expected.toSorted(bySession))
    })
    await fc.assert(portions, { numRuns: 8 })
  })
}

export function scanContract(engine: string, open: OpenSql): void {
  describe(`scanning thousands on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())
    const stores = () => opened.stores

    describe('persons', () => persons(stores))
    describe('large persons', () => largePersons(stores))
    describe('recordings', () => recordings(stores))
  })
}
