import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hideInBody, hideInUrl } from './hide-secrets.ts'

it('takes secrets out of bodies at any depth, and leaves the rest', () => {
  const body = { name: 'a', password: 'p', list: [{ personal_api_key: 'k', n: 1 }], current_password: null }
  expect(JSON.parse(hideInBody(JSON.stringify(body)))).toEqual({
    name: 'a',
    password: '…',
    list: [{ personal_api_key: '…', n: 1 }],
    current_password: null,
  })
})

it('shows nothing of a body that it cannot read', () => {
  expect(hideInBody('password=hunter2')).toBe('…')
})

it('takes secrets out of addresses', () => {
  const url = hideInUrl('https://a.example/api/x/?sharing_access_token=abc&limit=1')
  expect(url).not.toContain('abc')
  expect(url).toContain('limit=1')
})

it('never lets one through', () => {
  const secret = fc.string({ minLength: 8 }).filter((text) => /^\w+$/.test(text))
  fc.assert(
    fc.property(secret, fc.constantFrom('password', 'raw_password', 'signing_secret', 'token'), (value, name) => {
      expect(hideInBody(JSON.stringify({ a: [{ [name]: `zz${value}zz` }] }))).not.toContain(`zz${value}zz`)
    }),
  )
})
