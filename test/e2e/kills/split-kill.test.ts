/**
 * A server that is killed while it splits persons. After each kill every person is unsplit or completely split, what
 * was answered is done, and the people projection agrees with the SQL store once the drainer has run.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeApp, ROOT_KEY } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'
import { type Running, removeFolder, start, tempFolder } from '../../support/program.ts'

const PERSONS = 16
const IDS_EACH = 10

let folder: string
let running: Running | null = null
beforeEach(() => {
  folder = tempFolder()
})
afterEach(async () => {
  await running?.stop('SIGKILL')
  removeFolder(folder)
})

interface Made {
  id: number
  distinctIds: string[]
}

async function prepare(): Promise<Made[]> {
  const app = await makeApp({ dataDir: folder })
  const made: Made[] = []
  for (let i = 0; i < PERSONS; i++) {
    const distinctIds = Array.from({ length: IDS_EACH }, (_, j) => `person-${i}-id-${j}`)
    made.push(await makePerson(app, { distinctIds, properties: { number: i } }))
  }
  await app.end()
  return made
}

/**
 * Splits all these persons at once; `answered` is called for each 200. A request that the kill cuts off is no answer.
 */
async function splitAll(server: Running, persons: Made[], answered: (id: number) => void): Promise<void> {
  const split = async ({ id }: Made): Promise<void> => {
    const url = `${server.url}/api/environments/1/persons/${id}/split/`
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${ROOT_KEY}` } })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    answered(id)
  }
  const outcomes = await Promise.allSettled(persons.map(split))
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TypeError)
}

/** Runs the server, kills it as soon as `kills` splits are answered, and returns which were. */
async function splitUntilKilled(persons: Made[], kills: number): Promise<Set<number>> {
  const server = await start(folder)
  running = server
  const done = new Set<number>()
  let dead: Promise<unknown> | null = null
  await splitAll(server, persons, (id) => {
    done.add(id)
    if (done.size >= kills) dead ??= server.stop('SIGKILL')
  })
  await (dead ?? server.stop('SIGKILL'))
  running = null
  return done
}

/** Whether each person is unsplit or split; fails when one is neither, or when the projection disagrees. */
async function inspect(made: Made[]): Promise<Map<number, 'whole' | 'split'>> {
  const app = await makeApp({ dataDir: folder })
  const states = new Map<number, 'whole' | 'split'>()
  for (const { id, distinctIds } of made) {
    const owners = await app.stores.persons.findByDistinctIds(1, distinctIds)
    expect([...owners.keys()]).toEqual(distinctIds)
    const ids = [...owners.values()].map((owner) => owner.id)
    const isWhole = ids.every((owner) => owner === id)
    if (!isWhole) {
      expect(ids[0]).toBe(id)
      expect(new Set(ids).size).toBe(IDS_EACH)
      for (const [distinctId, owner] of owners) expect(owner.distinctIds).toEqual([distinctId])
    }
    states.set(id, isWhole ? 'whole' : 'split')
    const log = await app.call('GET', `/api/environments/1/persons/${id}/activity/`)
    expect(log.json().count).toBe(isWhole ? 0 : 1)
    for (const [distinctId, owner] of owners) {
      const projected = await app.stores.events.personOf(1, distinctId)
      expect([projected?.personId, projected?.properties]).toEqual([owner.id, owner.properties])
    }
  }
  expect(await app.stores.outbox.pending()).toEqual([])
  await app.end()
  return states
}

it('a kill in the middle of splits leaves every person unsplit or completely split', async () => {
  const made = await prepare()
  const answered = new Set<number>()
  for (const kills of [1, 3, 6]) {
    const done = await splitUntilKilled(
      made.filter(({ id }) => !answered.has(id)),
      kills,
    )
    for (const id of done) answered.add(id)
    const states = await inspect(made)
    for (const id of answered) expect(states.get(id)).toBe('split')
  }
  await splitUntilKilled(made, PERSONS)
  expect(new Set((await inspect(made)).values())).toEqual(new Set(['split']))
})
