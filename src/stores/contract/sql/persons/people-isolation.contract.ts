/** What transactions that change people may count on while others run: locks, numbers, and fences around a project. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlWriters } from '../../../../model/stores.ts'
import { meeting } from '../../meeting.ts'
import type { OpenedSql, OpenSql } from '../../open-sql.ts'
import { insertProject, NOW } from '../../sql-builders.ts'

export function peopleIsolationContract(engine: string, open: OpenSql): void {
  describe(`two transactions of people at once on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    beforeAll(async () => {
      opened = await open()
      projectId = (await insertProject(opened.stores)).id
    })
    afterAll(() => opened.end())

    /** Both begin before either goes on, where that is possible. */
    async function both<T>(work: (tx: SqlWriters, place: number) => Promise<T>): Promise<T[]> {
      const { stores, writers } = opened
      const { meet, haveMet } = meeting(writers)
      const run = (place: number) =>
        stores.peopleTransaction([projectId], async (tx) => {
          await meet()
          return work(tx, place)
        })
      const results = await Promise.all([run(0), run(1)])
      if (writers === 'many') expect(haveMet()).toBe(true)
      return results
    }

    const owner = async (tx: SqlWriters, distinctId: string) => {
      const { lockOwners, resolve } = tx.intake
      const found = (await (lockOwners ?? resolve)(projectId, [distinctId])).get(distinctId)
      if (!found) throw new Error('The person is gone.')
      return found
    }
    const addPerson = async (tx: SqlWriters, distinctId: string): Promise<number> => {
      const person = { uuid: randomUUID(), properties: '{}', isIdentified: false, createdAt: NOW, lastSeenAt: null }
      const [id = 0] = (await tx.intake.addPersons(projectId, [person], NOW)) as number[]
      await tx.intake.addDistinctIds(projectId, [{ distinctId, personId: id }])
      return id
    }
    const make = (distinctId: string) => opened.stores.peopleTransaction([projectId], (tx) => addPerson(tx, distinctId))
    const countsOf = (properties: string): number[] => JSON.parse(properties).numbers ?? []

    it('both change one person, and the later change has the greater number', async () => {
      await make('counted')
      await both(async (tx) => {
        const found = await owner(tx, 'counted')
        const numbers = [...countsOf(found.properties), await tx.outbox.nextSeq()]
        await tx.intake.savePersons([{ ...found, properties: JSON.stringify({ numbers }) }], NOW)
      })
      const { properties } = await opened.stores.transaction((tx) => owner(tx, 'counted'))
      const numbers = countsOf(properties)
      expect(numbers).toHaveLength(2)
      expect(numbers[1]).toBeGreaterThan(numbers[0] ?? 0)
    })

    it('both change one person that is found by its id or uuid', async () => {
      const id = await make('edited')
      const { uuid } = (await opened.stores.persons.find(projectId, { id })) ?? { uuid: '' }
      await both(async (tx, place) => {
        const found = await tx.persons.findToChange(projectId, place === 0 ? { id } : { uuid })
        if (found) await tx.persons.saveProperties(id, { ...found.properties, [`by ${place}`]: true }, NOW)
      })
      const { properties } = (await opened.stores.persons.find(projectId, { id })) ?? {}
      expect(properties).toEqual({ 'by 0': true, 'by 1': true })
    })

    it('make one person of one new distinct id', async () => {
      const [one, other] = await both(async (tx) => {
        const found = (await tx.intake.resolve(projectId, ['new'])).get('new')
        return found ? found.id : addPerson(tx, 'new')
      })
      expect(one).toBe(other)
    })

    it('find the owner that an id has when they get to it', async () => {
      const ids = [await make('moved'), await make('target')]
      const owners = await both(async (tx, place) => {
        const { id } = await owner(tx, 'moved')
        const next = ids.find((other) => other !== id) ?? 0
        if (place === 0) await tx.persons.moveDistinctIds(projectId, ['moved'], next)
        return id
      })
      expect(owners[0]).toBe(ids[0])
      const last = await opened.stores.transaction((tx) => owner(tx, 'moved'))
      expect(last.id).toBe(ids[1])
      expect(ids).toContain(owners[1])
    })

    it('who merges two people takes their ids, also those that another gives them', async () => {
      const [kept, other] = [await make('kept'), await make('other')]
      await both(async (tx, place) => {
        if (place === 1) {
          const { id } = await owner(tx, 'other')
          await tx.intake.addDistinctIds(projectId, [{ distinctId: 'given', personId: id }])
          return
        }
        await owner(tx, 'kept')
        await owner(tx, 'other')
        await tx.intake.absorb(projectId, other, kept)
      })
      const person = await opened.stores.persons.find(projectId, { id: kept })
      expect(person?.distinctIds.toSorted()).toEqual(['given', 'kept', 'other'])
      expect(await opened.stores.persons.find(projectId, { id: other })).toBeNull()
    })

    it('store one event under one uuid', async () => {
      const uuid = randomUUID()
      const fresh = await both(async (tx) => (await tx.intake.freshUuids(projectId, [uuid], NOW)).size)
      expect(fresh.sort()).toEqual([0, 1])
    })

    /** Runs `second` while `first` is in its transaction, and says whether that ended first. */
    async function during<T>(
      first: (tx: SqlWriters) => Promise<number>,
      second: () => Promise<T>,
    ): Promise<{ seq: number; result: T; isAfter: boolean }> {
      let begun = () => {}
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve
      })
      let hasEnded = false
      const running = opened.stores.peopleTransaction([projectId], async (tx) => {
        // Its work may start before it has entered the fence; the first answer comes after that.
        await tx.persons.findByDistinctId(projectId, 'nobody')
        begun()
        // Long enough for the other to come to where it has to wait.
        await sleep(100)
        return first(tx)
      })
      const ended = running.finally(() => {
        hasEnded = true
      })
      await hasBegun
      const result = await second()
      const isAfter = hasEnded
      return { seq: await ended, result, isAfter }
    }

    it('an exclusive one waits for those of its project, sees what they stored, and has a greater number', async () => {
      const { seq, result } = await during(
        async (tx) => {
          const number = await tx.outbox.nextSeq()
          await addPerson(tx, 'before the cut-off')
          return number
        },
        () =>
          opened.stores.exclusiveTransaction([projectId], async (tx) => {
            const found = await tx.persons.findByDistinctId(projectId, 'before the cut-off')
            return { found, number: await tx.outbox.nextSeq() }
          }),
      )
      expect(result.found).not.toBeNull()
      expect(result.number).toBeGreaterThan(seq)
    })

    it('an exclusive one of another project does not wait, where several write at once', async () => {
      const other = (await insertProject(opened.stores)).id
      const { isAfter } = await during(
        (tx) => tx.outbox.nextSeq(),
        () => opened.stores.exclusiveTransaction([other], (tx) => tx.outbox.nextSeq()),
      )
      expect(isAfter).toBe(opened.writers === 'one')
    })

    it('one that begins during an exclusive one has a greater number', async () => {
      let begun = () => {}
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve
      })
      const cutOff = opened.stores.exclusiveTransaction([projectId], async (tx) => {
        begun()
        await sleep(100)
        return tx.outbox.nextSeq()
      })
      await hasBegun
      const later = opened.stores.peopleTransaction([projectId], (tx) => tx.outbox.nextSeq())
      expect(await later).toBeGreaterThan(await cutOff)
    })

    it('is open again after an exclusive one that failed', async () => {
      const failing = opened.stores.exclusiveTransaction([projectId], async () => {
        throw new Error('given up')
      })
      await expect(failing).rejects.toThrow('given up')
      await opened.stores.peopleTransaction([projectId], (tx) => tx.outbox.nextSeq())
    })

    it('one knows of all changes up to a number, where several write at once', async () => {
      const seen = () => opened.stores.peopleTransaction([projectId], (tx) => tx.outbox.seenSeq())
      const { seq, result: during_ } = await during(async (tx) => tx.outbox.nextSeq(), seen)
      if (opened.writers === 'one') return expect(during_).toBeNull()
      expect(during_).toBeLessThan(seq)
      expect(await seen()).toBeGreaterThanOrEqual(seq)
    })
  })
}
