/** Subscriptions for tests: the smallest body that makes one, and making one through the API. */
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'

export const PATH = '/api/environments/1/subscriptions/'

/** The four fields that are needed. */
export const SMALLEST = {
  target_type: 'email',
  target_value: 'ann@example.com',
  frequency: 'weekly',
  start_date: '2026-03-02T09:00:00Z',
}

export async function subscribe(app: TestApp, body: Record<string, unknown> = {}) {
  const answer = await app.call('POST', PATH, { body: { ...SMALLEST, ...body } })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Record<string, unknown> & { id: number }
}

/** The seed's fields and the types that each one may have. */
export const SEED_FIELDS: Record<string, string[]> = {
  id: ['integer'],
  dashboard: ['integer', 'null'],
  insight: ['integer', 'null'],
  target_type: ['string'],
  target_value: ['string'],
  frequency: ['string'],
  interval: ['integer'],
  byweekday: ['array', 'null'],
  bysetpos: ['integer', 'null'],
  count: ['integer', 'null'],
  start_date: ['date-time'],
  until_date: ['date-time', 'null'],
  created_at: ['date-time'],
  created_by: ['object'],
  deleted: ['boolean'],
  title: ['string', 'null'],
  summary: ['string'],
  next_delivery_date: ['date-time', 'null'],
  invite_message: ['string', 'null'],
}

export const USER_FIELDS: Record<string, string[]> = {
  id: ['integer'],
  uuid: ['string'],
  distinct_id: ['string'],
  first_name: ['string'],
  last_name: ['string'],
  email: ['string'],
  is_email_verified: ['boolean'],
  hedgehog_config: ['object'],
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{6})?Z$/

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** Every field is there and of one of its types. */
export function expectFields(object: Record<string, unknown>, fields: Record<string, string[]>): void {
  for (const [name, types] of Object.entries(fields)) {
    expect(object, name).toHaveProperty(name)
    const value = object[name]
    const isDate = typeof value === 'string' && DATE_TIME.test(value) && types.includes('date-time')
    expect(isDate ? 'date-time' : typeOf(value), `${name} is one of ${types}`).toBeOneOf(types)
  }
}
