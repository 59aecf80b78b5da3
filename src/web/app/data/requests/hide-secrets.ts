/** What must not be shown again, taken out of a request before it is remembered. */

const SECRET = /password|secret|personal_api_key|token/i
const HIDDEN = '…'

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET.test(name) && inner !== null ? HIDDEN : hide(inner)]),
  )
}

/** A body of JSON without the values of fields that hold secrets; other text not at all. */
export function hideInBody(body: string): string {
  try {
    return JSON.stringify(hide(JSON.parse(body)))
  } catch {
    return HIDDEN
  }
}

export function hideInUrl(address: string): string {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (SECRET.test(name)) url.searchParams.set(name, HIDDEN)
  return url.href
}
