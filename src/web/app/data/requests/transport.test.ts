import { describe, expect, it } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import type { Connection } from './connection.ts'
import { createTransport } from './transport.ts'

const URL_ = 'https://a.example/api/environments/1/persons/'

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** A transport whose server gives these answers in turn; an error is a server that cannot be reached. */
function transportOver(answers: (Answer | Error)[], { proves = true } = {}) {
  const noted: Partial<Connection>[] = []
  const remembered: { status: number | null }[] = []
  const keys: (string | null)[] = []
  const waited: number[] = []
  const ends = { signedOut: 0, proofs: 0 }
  let made = 0
  const transport = createTransport({
    fetch: async (_input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      const answer = answers.shift()
      if (answer === undefined) throw new Error('nobody expected this request')
      if (answer instanceof Error) throw answer
      return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), answer)
    },
    now: () => 1_000,
    wait: async (ms) => void waited.push(ms),
    newKey: () => `key-${++made}`,
    note: (change) => void noted.push(change),
    slow: () => undefined,
    remember: (_sent, rest) => void remembered.push(rest),
    screen: () => '/x',
    signedOut: () => void ends.signedOut++,
    prove: async () => {
      ends.proofs++
      return proves
    },
  })
  return { transport, noted, remembered, keys, waited, ends }
}

describe('a busy server', () => {
  it('is asked again when it says so, with the same key', async () => {
    const { transport, waited, keys, noted } = transportOver([
      { status: 503, headers: { 'retry-after': '3' } },
      { status: 503 },
      { status: 201 },
    ])
    expect((await transport(URL_, { method: 'POST', body: '{}' })).status).toBe(201)
    expect(waited).toEqual([3_000, 2_000])
    expect(keys).toEqual(['key-1', 'key-1', 'key-1'])
    expect(noted).toContainEqual({ retryAt: 4_000 })
    expect(noted.at(-1)).not.toHaveProperty('retryAt', 4_000)
  })
  it('is not asked twice for what might be done twice', async () => {
    const { transport, waited } = transportOver([{ status: 503 }])
    expect((await transport(URL_, { method: 'DELETE' })).status).toBe(503)
    expect(waited).toEqual([])
  })
  it('is given up after five times', async () => {
    const { transport, waited } = transportOver(Array.from({ length: 5 }, () => ({ status: 503 })))
    expect((await transport(URL_)).status).toBe(503)
    expect(waited).toHaveLength(4)
  })
})

it('a server that cannot be reached is told', async () => {
  const { transport, noted, remembered } = transportOver([new TypeError('Failed to fetch')])
  await expect(transport(URL_)).rejects.toThrow(ApiProblem)
  expect(noted).toEqual([{ offline: true }])
  expect(remembered).toMatchObject([{ status: null }])
})

it('a request that was given up is no sign of that', async () => {
  const { transport, noted } = transportOver([new DOMException('gone', 'AbortError')])
  await expect(transport(URL_, { signal: AbortSignal.abort() })).rejects.toThrow('gone')
  expect(noted).toEqual([])
})

describe('401', () => {
  it('ends the session, and whoever asked never hears of it', async () => {
    const { transport, ends } = transportOver([{ status: 401 }])
    const asked = transport(URL_).then(() => 'answered')
    expect(await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))])).toBe('waiting')
    expect(ends.signedOut).toBe(1)
  })
  it('is an answer like another where somebody signs in', async () => {
    const { transport, ends, keys } = transportOver([{ status: 401 }])
    expect((await transport('https://a.example/api/login/', { method: 'POST', body: '{}' })).status).toBe(401)
    expect([ends.signedOut, keys]).toEqual([0, [null]])
  })
})

describe('a proof that is asked for again', () => {
  const refused = { status: 403, body: { code: 'recent_sign_in_required' } }

  it('is had, and the request repeated under another key', async () => {
    const { transport, keys, ends } = transportOver([refused, { status: 201 }])
    expect((await transport(URL_, { method: 'POST', body: '{}' })).status).toBe(201)
    expect([keys, ends.proofs]).toEqual([['key-1', 'key-2'], 1])
  })
  it('that is not given leaves the refusal', async () => {
    const { transport } = transportOver([refused], { proves: false })
    expect((await transport(URL_, { method: 'POST', body: '{}' })).status).toBe(403)
  })
  it('is not asked for by another refusal', async () => {
    const { transport, ends } = transportOver([{ status: 403, body: { code: 'permission_denied' } }])
    expect((await transport(URL_)).status).toBe(403)
    expect(ends.proofs).toBe(0)
  })
})
