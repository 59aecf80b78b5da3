import { describe, expect, it } from 'vitest'
import { checkUrl, isAllowedHost, isPublicAddress } from './safe-url.ts'

const reason = (text: string, allow: string[] = []): string | null => {
  const checked = checkUrl(text, allow)
  return 'reason' in checked ? checked.reason : null
}

describe('a URL the server may call', () => {
  it.each([
    'https://example.com',
    'http://example.com:8080/path?query=1#part',
    'HTTPS://Example.COM/x',
    'https://hooks.example.co.uk/a@b',
    'https://does-not-resolve.invalid/hook',
    'https://my_host.example.com/',
    'https://bücher.example/',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'http://134744072/',
  ])('is %s', (text) => {
    expect(reason(text)).toBeNull()
  })
})

describe('a URL the server must not call', () => {
  it.each([
    ['', 'only http and https are allowed'],
    ['example.com/hook', 'only http and https are allowed'],
    ['//example.com/hook', 'only http and https are allowed'],
    ['ftp://example.com', 'only http and https are allowed'],
    ['file:///etc/passwd', 'only http and https are allowed'],
    ['javascript:alert(1)', 'only http and https are allowed'],
    ['http:example.com', 'the host is missing'],
    ['http://', 'the host is missing'],
    ['https:///path', 'the host is missing'],
    ['http://./', 'the host is missing'],
    ['http://:80/', 'it is not a URL'],
    ['http://256.1.1.1/', 'it is not a URL'],
    ['http://example.com:99999/', 'it is not a URL'],
    ['http://a..example.com/', 'the host name is malformed'],
    ['http://user:pass@example.com/', 'it contains credentials'],
    ['http://@example.com/', 'it contains credentials'],
    ['http://example.com\\@127.0.0.1/', 'it contains a backslash'],
    ['http:\\\\127.0.0.1/', 'it contains a backslash'],
    ['http://exam\nple.com/', 'it contains white space or control characters'],
    ['http://example.com/ x', 'it contains white space or control characters'],
    [`http://example.com/${'x'.repeat(2_048)}`, 'it is longer than 2048 characters'],
    ['http://localhost/', 'localhost is not allowed'],
    ['http://LOCALHOST.:8000/', 'localhost is not allowed'],
    ['http://app.localhost/', 'localhost is not allowed'],
    ['http://ⓛocalhost/', 'localhost is not allowed'],
    ['http://metadata/computeMetadata/v1/', 'metadata hosts are not allowed'],
    ['http://metadata.google.internal/', 'metadata hosts are not allowed'],
    ['http://printer.local/', 'names under .local are internal'],
    ['http://api.svc.cluster.local./', 'names under .local are internal'],
    ['http://db.internal/', 'names under .internal are internal'],
    ['http://nas.home.arpa/', 'names under .home.arpa are internal'],
    ['http://wiki.corp/', 'names under .corp are internal'],
    ['http://router.lan/', 'names under .lan are internal'],
    ['http://redis:6379/', 'a host name without a dot is internal'],
  ])('is %j, for %s', (text, expected) => {
    expect(reason(text)).toBe(expected)
  })

  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0x7f.0.0.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://10.1.2.3/', '10.1.2.3'],
    ['http://0xa9fea9fe/latest/meta-data/', '169.254.169.254'],
    ['http://100.100.100.200/', '100.100.100.200'],
    ['http://[::1]/', '::1'],
    ['http://[::]/', '::'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://[::ffff:a00:1]/', '::ffff:a00:1'],
    ['http://[0:0:0:0:0:ffff:192.168.0.1]/', '::ffff:c0a8:1'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
  ])('is %s: every spelling of an address that is not public', (text, address) => {
    expect(reason(text)).toBe(`${address} is not a public address`)
  })
})

describe('a public address', () => {
  it.each([
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each([
    '0.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.8.8.8',
    '168.63.129.16',
    '169.254.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.19.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'example.com',
    '',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the allow list', () => {
  it('exempts its hosts from the host check, in any spelling', () => {
    expect(reason('http://127.0.0.1:9000/hook', ['127.0.0.1'])).toBeNull()
    expect(reason('http://2130706433/hook', ['127.0.0.1'])).toBeNull()
    expect(reason('http://[::1]:9000/', ['::1'])).toBeNull()
    expect(reason('http://[0:0::1]/', ['[::1]'])).toBeNull()
    expect(reason('http://Hooks.LAN./x', [' hooks.lan '])).toBeNull()
  })

  it('takes a port as part of the permission', () => {
    expect(reason('http://localhost:9000/', ['localhost:9000'])).toBeNull()
    expect(reason('http://localhost:9001/', ['localhost:9000'])).toBe('localhost is not allowed')
    expect(reason('https://localhost/', ['localhost:443'])).toBeNull()
    expect(reason('http://localhost/', ['localhost:443'])).toBe('localhost is not allowed')
    expect(reason('http://[::1]/', ['[::1]:80'])).toBeNull()
  })

  it('exempts nothing else', () => {
    expect(reason('http://10.0.0.1/', ['127.0.0.1', 'not a host', ''])).toBe('10.0.0.1 is not a public address')
    expect(reason('http://evil.hooks.lan/', ['hooks.lan'])).toBe('names under .lan are internal')
    expect(reason('ftp://localhost/', ['localhost'])).toBe('only http and https are allowed')
    expect(reason('http://a:b@localhost/', ['localhost'])).toBe('it contains credentials')
    expect(isAllowedHost(new URL('https://example.com'), [])).toBe(false)
  })
})
