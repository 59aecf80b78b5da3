/** What every SQL adapter must do for the number of persons: it is right after writes of every kind. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClearCursor } from '../../../../model/accounts/project.ts'
import type { PersonCursor, PersonPage } from '../../../../model/persons/person.ts'
import type { SqlStores, SqlWriters } from '../../../../model/stores.ts'
import type { OpenedSql, OpenSql } from '../../open-sql.ts'
import { NOW } from '../../sql-builders.ts'

const PROJECTS = [81, 82, 83]
const TRANSACTIONS = 400
const MOST_WRITES = 12

interface Write {
  kind: 'create' | 'add' | 'add again' | 'absorb' | 'remove' | 'remove again' | 'save'
  project: number
  /** Picks one of those that are there. */
  pick: number
}

interface Work {
  writes: Write[]
  ends: 'commit' | 'relaxed' | 'rollback'
}

const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom('create', 'create', 'add', 'add', 'add again', 'absorb', 'remove', 'remove again', 'save'),
  project: fc.constantFrom(...PROJECTS),
  pick: fc.nat(1_000),
})
const work: fc.Arbitrary<Work> = fc.record({
  writes: fc.array(write, { maxLength: MOST_WRITES }),
  ends: fc.constantFrom('commit', 'commit', 'relaxed', 'rollback'),
})

interface Known {
  id: number
  uuid: string
}

/** Who is there, by project; a plain computation beside the store. */
type People = Map<number, Known[]>

const facts = { properties: {}, isIdentified: false, createdAt: NOW, lastSeenAt: null }
const row = { ...facts, properties: '{}' }

async function doWrite(tx: SqlWriters, people: People, { kind, project, pick }: Write): Promise<void> {
  const there = people.get(project) ?? []
  const [one, other] = [there[pick % there.length], there[(pick + 1) % there.length]]
  const uuid = randomUUID()
  if (kind === 'create') {
    const { id } = await tx.persons.create({ ...facts, projectId: project, uuid }, [randomUUID()])
    people.set(project, [...there, { id, uuid }])
  } else if (kind === 'add') {
    const uuids = [uuid, randomUUID()]
    const added = await tx.intake.addPersons(
      project,
      uuids.map((each) => ({ ...row, uuid: each })),
      NOW,
    )
    people.set(project, [...there, ...uuids.map((each, place) => ({ id: added[place] as number, uuid: each }))])
  } else if (one && kind === 'add again') {
    const uuids = [one.uuid, uuid, one.uuid]
    const added = await tx.intake.addPersons(
      project,
      uuids.map((each) => ({ ...row, uuid: each })),
      NOW,
    )
    expect(added).toEqual([null, expect.any(Number), null])
    people.set(project, [...there, { id: added[1] as number, uuid }])
  } else if (one && other && one !== other && kind === 'absorb') {
    await tx.intake.absorb(project, other.id, one.id)
    people.set(
      project,
      there.filter((item) => item !== other),
    )
  } else if (one && (kind === 'remove' || kind === 'remove again')) {
    await tx.persons.remove(one.id)
    if (kind === 'remove again') await tx.persons.remove(one.id)
    people.set(
      project,
      there.filter((item) => item !== one),
    )
  } else if (one && kind === 'save') {
    await tx.intake.savePersons([{ ...row, id: one.id }], NOW)
  }
}

const ON_PURPOSE = new Error('on purpose')

async function run(stores: SqlStores, people: People, { writes, ends }: Work): Promise<void> {
  const all = async (tx: SqlWriters) => {
    const after: People = new Map(people)
    for (const each of writes) await doWrite(tx, after, each)
    for (const project of PROJECTS) {
      expect(await tx.persons.count(project, {})).toBe(after.get(project)?.length ?? 0)
    }
    if (ends === 'rollback') throw ON_PURPOSE
    return after
  }
  if (ends === 'rollback') return expect(stores.transaction(all)).rejects.toBe(ON_PURPOSE)
  const after = await (ends === 'relaxed' ? stores.relaxed(all) : stores.transaction(all))
  for (const [project, there] of after) people.set(project, there)
}

async function listed(stores: SqlStores, project: number): Promise<number> {
  let count = 0
  let after: PersonCursor | null = null
  do {
    const page: PersonPage = await stores.persons.listAfter(project, {}, after, 1_000)
    count += page.persons.length
    after = page.next
  } while (after)
  return count
}

export function personCountContract(engine: string, open: OpenSql): void {
  describe(`the number of persons on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    it('is that of the list after thousands of writes of every kind', async () => {
      const { stores } = opened
      const people: People = new Map()
      const [works = []] = fc.sample(
        fc.array(work, { minLength: TRANSACTIONS, maxLength: TRANSACTIONS, size: 'max' }),
        1,
      )
      for (const each of works) await run(stores, people, each)
      for (const project of PROJECTS) {
        const count = await stores.persons.count(project, {})
        expect(count).toBe(await listed(stores, project))
        expect(count).toBe(people.get(project)?.length ?? 0)
      }
      expect(await stores.persons.count(84, {})).toBe(0)
    })

    it('is 0 again when the project is removed', async () => {
      const { stores } = opened
      const [project, other] = [85, 86]
      for (const projectId of [project, other, project]) {
        await stores.transaction((tx) => tx.persons.create({ ...facts, projectId, uuid: randomUUID() }, []))
      }
      let from: ClearCursor | null = null
      do {
        const cursor: ClearCursor | null = from
        from = await stores.transaction((tx) => tx.projects.clear(project, cursor))
      } while (from)
      expect(await stores.persons.count(project, {})).toBe(0)
      expect(await stores.persons.count(other, {})).toBe(1)
    })
  })
}
