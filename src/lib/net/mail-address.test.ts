import { describe, expect, it } from 'vitest'
import { isMailAddress, mailDomain, readSender, splitAddresses } from './mail-address.ts'

const long = (n: number): string => 'x'.repeat(n)

describe('an e-mail address', () => {
  it.each([
    'a@b.co',
    "o'brien.x_y-z!#$%&*/=?^`{|}~@example.com",
    'jörg@bücher.example',
    'ann@sub.domain.example.com',
    'ann@xn--bcher-kva.example',
    `${long(64)}@example.com`,
    `ann@${long(63)}.${long(63)}.${long(63)}.example.com`,
  ])('is %s', (text) => {
    expect(isMailAddress(text)).toBe(true)
  })
  it.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@localhost',
    'ann@@example.com',
    'a b@example.com',
    'ann@example..com',
    'ann@.example.com',
    'ann@example.com.',
    '.ann@example.com',
    'ann.@example.com',
    'a..b@example.com',
    'ann@-example.com',
    'ann@example-.com',
    'ann@exam_ple.com',
    'ann@ex%61mple.com',
    'ann@127.0.0.1',
    'ann@[127.0.0.1]',
    '"ann"@example.com',
    'Ann <ann@example.com>',
    'ann@example.com\r\nBcc: eve@example.com',
    'ann\u200b@example.com',
    `${long(65)}@example.com`,
    `${'ö'.repeat(33)}@example.com`,
    `ann@${long(64)}.com`,
    `ann@${long(63)}.${long(63)}.${long(63)}.${long(63)}.com`,
  ])('is not %j', (text) => {
    expect(isMailAddress(text)).toBe(false)
  })
})

describe('a list of addresses', () => {
  it('is split the way it is stored', () => {
    expect(splitAddresses('a@x.org,,b@x.org , A@x.org')).toEqual(['a@x.org', 'b@x.org'])
  })
})

describe('a sender', () => {
  it.each([
    ['reports@example.com', { name: '', address: 'reports@example.com' }],
    [' Acme Reports <reports@example.com> ', { name: 'Acme Reports', address: 'reports@example.com' }],
    ['<reports@example.com>', { name: '', address: 'reports@example.com' }],
    ['reports', null],
    ['Acme <reports>', null],
    ['Acme <a@example.com> <b@example.com>', null],
    ['Acme\r\nBcc: x <a@example.com>', null],
  ])('is read from %j', (text, sender) => {
    expect(readSender(text)).toEqual(sender)
  })
  it('has a domain as mail servers write it', () => {
    expect(mailDomain('jörg@bücher.example')).toBe('xn--bcher-kva.example')
  })
})
