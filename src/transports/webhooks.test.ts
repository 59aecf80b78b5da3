/** Webhooks and chats against real receivers on loopback, which is private: allowed only where the test says so. */
import { createHmac } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../test/support/servers/receiver.ts'
import { createHttpPost } from './http-post.ts'
import { postChat, postSlack, postWebhook, signWebhook } from './webhooks.ts'

let receiver: Receiver
let other: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
  other = await startReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await other.stop()
})

const NOW = 1_772_625_600_500
const allowed = (timeoutMs = 5_000) => createHttpPost({ allow: [receiver.host], timeoutMs })
const send = (post = allowed(), url = `${receiver.url}/secret-path?key=hidden`) =>
  postWebhook(post, { url, body: '{"a":1}', deliveryId: 'd-1', signature: signWebhook('whsec_x', '{"a":1}', NOW) })

const answerWith = (status: number, headers: Record<string, string> = {}, text = '') =>
  receiver.answer((_request, response) => void response.writeHead(status, headers).end(text))

describe('a webhook', () => {
  it('is one signed POST that names its delivery', async () => {
    expect(await send()).toEqual({ kind: 'accepted' })
    const [request] = receiver.requests
    expect(receiver.requests).toHaveLength(1)
    expect(request).toMatchObject({ method: 'POST', path: '/secret-path?key=hidden', body: '{"a":1}' })
    expect(request?.headers['hedgerow-delivery']).toBe('d-1')
    const [, unix = '', hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['hedgerow-signature'])) ?? []
    expect(unix).toBe('1772625600')
    expect(hex).toBe(createHmac('sha256', 'whsec_x').update(`${unix}.${request?.body}`).digest('hex'))
  })

  it.each([200, 201, 202, 204])('is accepted by %i', async (status) => {
    answerWith(status)
    expect(await send()).toEqual({ kind: 'accepted' })
  })

  it.each([400, 401, 404, 429, 500, 502, 503])(
    'is retried after %i, and the reason names the host only',
    async (status) => {
      answerWith(status)
      const reason = `${receiver.host} answered ${status}.`
      expect(await send()).toEqual({ kind: 'retry', reason, mayHaveArrived: false })
    },
  )

  it('is over with 410', async () => {
    answerWith(410)
    expect(await send()).toEqual({ kind: 'gone', reason: `${receiver.host} answered 410.` })
  })

  it('that hangs may have arrived', async () => {
    receiver.answer(() => {})
    const outcome = await send(allowed(50))
    expect(outcome).toEqual({
      kind: 'retry',
      reason: `${receiver.host}: no answer within 0.05 s.`,
      mayHaveArrived: true,
    })
  })

  it('that cannot connect has not arrived', async () => {
    await receiver.stop()
    const outcome = await send()
    expect(outcome).toEqual({ kind: 'retry', reason: `${receiver.host}: ECONNREFUSED.`, mayHaveArrived: false })
    receiver = await startReceiver()
  })

  it('does not wait for an answer without end', async () => {
    receiver.answer((_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    expect(await send()).toEqual({ kind: 'accepted' })
  })
})

describe('the guard', () => {
  it('refuses a private address without calling it', async () => {
    const outcome = await send(createHttpPost({ allow: [] }))
    expect(outcome).toEqual({ kind: 'refused', reason: 'The URL is unsafe: 127.0.0.1 is not a public address.' })
    expect(receiver.requests).toHaveLength(0)
  })

  const leadsTo = (...addresses: string[]) =>
    ((_name: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as never

  it.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.1']], [['::1']], [['168.63.129.16']], [['64:ff9b::7f00:1']]])(
    'refuses a name that leads to %j',
    async (addresses) => {
      const post = createHttpPost({ allow: [], lookup: leadsTo(...addresses) })
      const outcome = await send(post, receiver.url.replace('127.0.0.1', 'hooks.example.com'))
      expect(outcome.kind).toBe('refused')
      expect(outcome).toHaveProperty('reason', expect.stringMatching(/^hooks\.example\.com:\d+ leads to an address/))
      expect(receiver.requests).toHaveLength(0)
    },
  )

  it('follows a redirect with the same request', async () => {
    receiver.answer(({ path }, response) => {
      if (path === '/there') response.end()
      else response.writeHead(308, { location: '/there' }).end()
    })
    expect(await send()).toEqual({ kind: 'accepted' })
    expect(receiver.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"a":1}'],
      ['POST', '{"a":1}'],
    ])
  })

  it.each([301, 302, 307, 308])('checks the address that %i leads to', async (status) => {
    answerWith(status, { location: `${other.url}/inner` })
    expect(await send()).toEqual({
      kind: 'refused',
      reason: `The redirect of ${receiver.host} is unsafe: 127.0.0.1 is not a public address.`,
    })
    expect(other.requests).toHaveLength(0)
  })

  it('does not leave http, and does not go round in circles', async () => {
    answerWith(302, { location: 'file:///etc/passwd' })
    expect(await send()).toMatchObject({ kind: 'refused' })
    answerWith(302, { location: '/again' })
    expect(await send()).toEqual({ kind: 'refused', reason: `${receiver.host} redirects more than 3 times.` })
  })
})

describe('a chat hook', () => {
  const chat = () => postChat(allowed(), `${receiver.url}/services/T0/B0/secret`, '{"text":"hi"}')
  it('takes 200 and 202', async () => {
    expect(await chat()).toEqual({ kind: 'accepted' })
    answerWith(202)
    expect(await chat()).toEqual({ kind: 'accepted' })
    expect(receiver.requests[0]?.body).toBe('{"text":"hi"}')
  })
  it.each([
    [404, 'no_service', 'gone'],
    [410, 'channel_is_archived', 'gone'],
    [400, 'invalid_payload', 'refused'],
    [403, 'action_prohibited', 'refused'],
    [429, '', 'retry'],
    [500, '<html>oops</html>', 'retry'],
  ])('takes %i %s as %s', async (status, text, kind) => {
    answerWith(status, {}, text)
    const outcome = await chat()
    expect(outcome.kind).toBe(kind)
    expect(JSON.stringify(outcome)).not.toMatch(/secret|html/)
  })
})

describe('Slack by token', () => {
  const slack = (answer: unknown) => {
    answerWith(200, {}, typeof answer === 'string' ? answer : JSON.stringify(answer))
    const content = { text: 'hi', blocks: [] }
    return postSlack(allowed(), { token: 'xoxb-1', channel: 'C01', content }, `${receiver.url}/api`)
  }
  it('posts to the channel as the bot', async () => {
    expect(await slack({ ok: true })).toEqual({ kind: 'accepted' })
    expect(receiver.requests[0]).toMatchObject({ path: '/api/chat.postMessage' })
    expect(receiver.requests[0]?.headers.authorization).toBe('Bearer xoxb-1')
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({ channel: 'C01', text: 'hi', blocks: [] })
  })
  it.each([
    [{ ok: false, error: 'channel_not_found' }, 'gone'],
    [{ ok: false, error: 'is_archived' }, 'gone'],
    [{ ok: false, error: 'not_in_channel' }, 'gone'],
    [{ ok: false, error: 'invalid_auth' }, 'refused'],
    [{ ok: false, error: 'invalid_blocks' }, 'refused'],
    [{ ok: false, error: 'ratelimited' }, 'retry'],
    ['<html>', 'retry'],
  ])('takes %j as %s', async (answer, kind) => {
    expect((await slack(answer)).kind).toBe(kind)
  })
  it('does not carry its token along a redirect', async () => {
    answerWith(307, { location: `${receiver.url}/elsewhere` })
    const post = postSlack(allowed(), { token: 'xoxb-1', channel: 'C01', content: {} }, `${receiver.url}/api`)
    expect((await post).kind).toBe('refused')
    expect(receiver.requests).toHaveLength(1)
  })
})
