import { describe, expect, it } from 'vitest'
import type { TargetType } from '../../model/subscriptions/subscription.ts'
import { readTarget } from './target.ts'

const details = (type: TargetType, text: string, allow: string[] = []): string[] => {
  const reading = readTarget(type, text, allow)
  return 'problems' in reading ? reading.problems.map((problem) => problem.detail) : []
}

describe('e-mail targets', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    [' ann@example.com , bob@example.com,', 'ann@example.com,bob@example.com'],
    ['Ann@Example.com,ann@example.COM,ann@example.com', 'Ann@Example.com'],
    ['ann+reports@example.com,ann@example.com', 'ann+reports@example.com,ann@example.com'],
  ])('reads %j as %j', (text, value) => {
    expect(readTarget('email', text)).toEqual({ value })
  })

  it('reports every bad address', () => {
    expect(readTarget('email', 'ann@example.com, nobody, @example.com')).toEqual({
      problems: [
        { attr: 'target_value', code: 'invalid_input', detail: '"nobody" is not a valid e-mail address.' },
        { attr: 'target_value', code: 'invalid_input', detail: '"@example.com" is not a valid e-mail address.' },
      ],
    })
  })

  it('accepts fifty addresses and not one more', () => {
    const many = (n: number): string => Array.from({ length: n }, (_, i) => `user${i}@example.com`).join(', ')
    expect(details('email', many(50))).toEqual([])
    expect(details('email', `${many(50)},user1@example.com`)).toEqual([])
    expect(details('email', many(51))).toEqual(['At most 50 e-mail addresses are allowed, but there are 51.'])
  })

  it('refuses an empty list', () => {
    expect(details('email', ' , ,')).toEqual(['At least one e-mail address is needed.'])
  })
})

describe('Slack targets', () => {
  it.each(['https://hooks.slack.com/services/T0/B0/x', 'C0123456789|#general', 'general|#überblick'])(
    'take %s',
    (value) => {
      expect(readTarget('slack', ` ${value} `)).toEqual({ value })
    },
  )
  it.each(['general', '#general', 'C1|general', 'C1|#a b', 'C1|#a|#b', '|#general'])('refuse %j', (text) => {
    expect(details('slack', text)).toEqual([
      'A Slack target is the URL of an incoming webhook, or a channel written as "C0123456789|#name".',
    ])
  })
  it('refuse URLs that are unsafe or unencrypted', () => {
    expect(details('slack', 'http://hooks.slack.com/services/x')).toEqual(['Invalid Slack URL: only https is allowed.'])
    expect(details('slack', 'https://10.0.0.1/x')).toEqual(['Invalid Slack URL: 10.0.0.1 is not a public address.'])
    expect(details('slack', 'ftp://example.com')).toEqual(['Invalid Slack URL: only http and https are allowed.'])
  })
})

describe('Teams targets', () => {
  it('accept an https URL', () => {
    const value = 'https://example.webhook.office.com/webhookb2/1@2/IncomingWebhook/3'
    expect(readTarget('teams', value)).toEqual({ value })
  })
  it('refuse anything else', () => {
    expect(details('teams', 'http://example.webhook.office.com/x')).toEqual([
      'Invalid Teams URL: only https is allowed.',
    ])
    expect(details('teams', 'general')).toEqual(['Invalid Teams URL: only http and https are allowed.'])
  })
  it('accept http for a host the operator allows', () => {
    expect(details('teams', 'http://127.0.0.1:9000/x', ['127.0.0.1:9000'])).toEqual([])
  })
})

describe('webhook targets', () => {
  it('accept a public URL as it was written, whether its name resolves or not', () => {
    expect(readTarget('webhook', ' http://Does-Not-Resolve.invalid/hook ')).toEqual({
      value: 'http://Does-Not-Resolve.invalid/hook',
    })
  })
  it('refuse an unsafe one with its reason', () => {
    expect(readTarget('webhook', 'http://localhost/hook')).toEqual({
      problems: [
        { attr: 'target_value', code: 'invalid_input', detail: 'Invalid webhook URL: localhost is not allowed.' },
      ],
    })
  })
  it('accept an internal one that the operator allows', () => {
    expect(details('webhook', 'http://localhost:9000/hook', ['localhost'])).toEqual([])
  })
})

it.each(['email', 'slack', 'teams', 'webhook'] as const)('a blank %s target is refused as blank', (type) => {
  expect(readTarget(type, ' \t')).toEqual({
    problems: [{ attr: 'target_value', code: 'blank', detail: 'This field may not be blank.' }],
  })
})
