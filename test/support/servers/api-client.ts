/** Calls a started server over the wire, by key. */
import { expect } from 'vitest'

export interface ApiClient {
  get<T = Record<string, unknown>>(path: string, query?: Record<string, string>): Promise<T>
  patch<T = Record<string, unknown>>(path: string, body: unknown): Promise<T>
  /** The one person of a distinct id; null when there is none. */
  personOf(distinctId: string): Promise<ApiPerson | null>
  /** How many events of that name (all when none is given) the person has. */
  eventCount(personId: number, event?: string): Promise<number>
}

export interface ApiPerson {
  id: number
  uuid: string
  distinct_ids: string[]
  properties: Record<string, unknown>
}

/** Paths are below the project. */
export function apiClient(address: string, key: string, project = 1): ApiClient {
  const ask = async (method: string, path: string, query: Record<string, string> = {}, body?: unknown) => {
    const url = `${address}/api/environments/${project}${path}?${new URLSearchParams(query)}`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect([method, path, response.status, response.ok ? '' : text]).toEqual([method, path, 200, ''])
    return JSON.parse(text)
  }
  const get: ApiClient['get'] = (path, query) => ask('GET', path, query)
  return {
    get,
    patch: (path, body) => ask('PATCH', path, {}, body),
    async personOf(distinctId) {
      const { results } = await get<{ results: ApiPerson[] }>('/persons/', { distinct_id: distinctId })
      expect(results.length).toBeLessThan(2)
      return results[0] ?? null
    },
    async eventCount(personId, event) {
      const query = event === undefined ? {} : { events: JSON.stringify([{ id: event }]) }
      const path = `/persons/${personId}/properties_timeline/`
      const { points } = await get<{ points: { relevant_event_count: number }[] }>(path, query)
      return points.reduce((sum, point) => sum + point.relevant_event_count, 0)
    },
  }
}
