/** Persons in a project of their own, so that whole lists can be compared. */
import { expect } from 'vitest'
import type { Properties } from '../../../src/model/persons/person.ts'
import type { TestApp } from '../app.ts'
import { makePerson, makeProject } from '../make.ts'

/** They are made in this order, a second apart; the last one a second ago. */
export async function makeList(app: TestApp, persons: { id: string; properties?: Properties; more?: string[] }[]) {
  const project = await makeProject(app)
  const made = []
  for (const [i, { id, properties = {}, more = [] }] of persons.entries()) {
    const createdAt = app.clock.now() - (persons.length - i) * 1_000
    made.push(await makePerson(app, { projectId: project.id, distinctIds: [id, ...more], properties, createdAt }))
  }
  const url = `/api/environments/${project.id}/persons/`
  const get = (query: Record<string, string> = {}) => app.call('GET', url, { query })
  const ids = async (query: Record<string, string>) => {
    const response = await get(query)
    expect(response.statusCode).toBe(200)
    return response.json().results.map((row: { distinct_ids: string[] }) => row.distinct_ids[0])
  }
  return { project, made, url, get, ids }
}
