/** Placeholder ids that identify no particular person: two people must never be merged by one of them. */

const ANY_CASE = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
])
const EXACT = new Set(['[object Object]', 'NaN', 'None', 'none', 'null', '0'])

/** Protocol v1 treats these as placeholders too, and all of them in any case. */
const V1_PLACEHOLDERS = new Set([
  ...ANY_CASE,
  ...[...EXACT].map((id) => id.toLowerCase()),
  'anonymous-user',
  'backend',
  'system',
  'user',
  '00000000-0000-0000-0000-000000000000',
])

const unquoted = (id: string): string => id.replace(/^(['"])(.*)\1$/s, '$2')

export function isLegalId(id: string): boolean {
  const bare = unquoted(id)
  return bare.trim() !== '' && !ANY_CASE.has(bare.toLowerCase()) && !EXACT.has(bare)
}

/** What protocol v1 refuses as an id of any event. */
export const isPlaceholderId = (id: string): boolean => {
  const bare = unquoted(id)
  return bare.trim() === '' || V1_PLACEHOLDERS.has(bare.toLowerCase())
}
