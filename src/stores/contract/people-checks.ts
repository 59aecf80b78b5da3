/** Compares what a store finds among the people of a made-up world with what the world says. */
import { expect } from 'vitest'
import type { PersonFilter } from '../../model/persons/person.ts'
import { NEWEST_FIRST, type PersonIdsRequest, type PersonOrder } from '../../model/persons/person-search.ts'
import type { Opened } from './batch-builders.ts'
import { fits, type PeopleWorld } from './people-world.ts'

const PAGE = 7

/** Whole, by number and by position: all must agree. */
export async function checkList(
  { store, projectId }: Opened,
  world: PeopleWorld,
  filter: PersonFilter,
  order: PersonOrder = NEWEST_FIRST,
): Promise<void> {
  const expected = world.find(filter, order)
  const ask = (request: PersonIdsRequest) => store.findPersons(projectId, filter, { ...request, order })
  const whole = await ask({ limit: Number.POSITIVE_INFINITY, withCount: false })
  expect([...whole.ids], JSON.stringify(filter)).toEqual(expected)
  const offset = Math.floor(expected.length / 2)
  const page = await ask({ limit: PAGE, offset, withCount: true })
  expect([...page.ids]).toEqual(expected.slice(offset, offset + PAGE))
  expect(page.count).toBe(expected.length)
  const places = [...page.ids].map((id, at) => ({ time: page.times[at], id }))
  expect(places).toEqual(expected.slice(offset, offset + PAGE).map((id) => world.cursorOf(id, order)))
  const lastId = page.ids.at(-1)
  if (lastId === undefined) return
  const next = await ask({ limit: PAGE, after: world.cursorOf(lastId, order), withCount: true })
  expect([...next.ids]).toEqual(expected.slice(offset + PAGE, offset + 2 * PAGE))
  expect(next.count).toBe(expected.length)
}

export async function checkFits({ store, projectId }: Opened, world: PeopleWorld, people: number): Promise<void> {
  const ids = Array.from({ length: people }, (_, i) => i + 1).filter((id) => id % 3 > 0)
  const filters = Array.from({ length: 3 }, () => world.propertyFilter())
  const found = await store.personsThatFit(projectId, ids, filters)
  const asked = world.living.filter(({ personId }) => personId % 3 > 0)
  for (const [place, filter] of filters.entries()) {
    const expected = asked.filter(({ properties }) => fits(filter, properties)).map(({ personId }) => personId)
    const byNumber = (a: number, b: number) => a - b
    expect(found[place]?.toSorted(byNumber), JSON.stringify(filter)).toEqual(expected.sort(byNumber))
  }
}

export async function checkValues({ store, projectId }: Opened, world: PeopleWorld): Promise<void> {
  for (const [key, search] of [
    ['plan', null],
    ['name', null],
    ['email', 'STRASSE'],
    ['filler', null],
  ] as const) {
    expect(await store.personValues({ projectId, key, search }), key).toEqual(world.values(key, search))
  }
}
