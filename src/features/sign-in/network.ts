/** The network of an address, as far as one subscriber is given it: an IPv4 address, or 64 bits of IPv6. */
import { isIPv6 } from 'node:net'

const GROUPS = 8
const OF_NETWORK = 4
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

export function networkOf(ip: string): string {
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [address = ''] = ip.split('%')
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups
    .slice(0, OF_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
