/** Every operator on properties of people, as the list of persons finds them. */
import { afterAll, beforeAll, describe } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { SqlStores } from '../../../model/stores.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { propertyFilterCases, type SeededFilterCase } from '../property-filter-cases.ts'
import { insertProject, NOW } from '../sql-builders.ts'

const filledWith =
  (stores: () => SqlStores): SeededFilterCase =>
  async (rows) => {
    const { id: projectId } = await insertProject(stores())
    await stores().transaction(async (tx) => {
      // The newest is listed first.
      for (const [i, [name, properties]] of Object.entries(rows).entries()) {
        const person = { projectId, uuid: uuidV7(NOW), properties, isIdentified: false, createdAt: NOW - i }
        await tx.persons.create(person, [name])
      }
    })
    return async (filter) => {
      const { persons: found } = await stores().persons.list(
        projectId,
        { properties: filter },
        { limit: 1_000, offset: 0 },
      )
      return found.map(({ distinctIds }) => distinctIds[0] as string)
    }
  }

export function personFilterContract(engine: string, open: OpenSql): void {
  describe(`property filters of persons on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())
    propertyFilterCases(filledWith(() => opened.stores))
  })
}
