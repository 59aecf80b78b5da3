/**
 * The property `$ip`. A project that anonymizes addresses, as all do unless told otherwise, keeps none: not even one
 * that the SDK sends. Any other keeps the SDK's, or else the address that the request came from.
 */
import { isIP } from 'node:net'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Project } from '../../model/accounts/project.ts'

/** `none`: no event keeps an address; else the one for events that name none, null when it is unknown. */
export type AddressRule = 'none' | { ip: string | null }

/** IPv4 as it is usually written, also when it came over a socket of IPv6. A proxy may hand on text that is no address. */
function readAddress(text: string): string | null {
  const plain = text.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) === 0 ? null : plain
}

/** `ipOf` is called only if the project keeps addresses. */
export const addressRule = ({ anonymizeIps }: Project, ipOf: () => string): AddressRule =>
  anonymizeIps ? 'none' : { ip: readAddress(ipOf()) }

export function withAddress(properties: JsonObject, rule: AddressRule): JsonObject {
  const isNamed = properties.$ip !== undefined
  if (rule !== 'none') return isNamed || rule.ip === null ? properties : { ...properties, $ip: rule.ip }
  if (!isNamed) return properties
  const { $ip: _, ...kept } = properties
  return kept
}
