/** Ids that stand for nobody in particular: two people must never be merged by one of them. */

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

const unquoted = (id: string): string => id.replace(/^(['"])(.*)\1$/s, '$2')

export function isLegalId(id: string): boolean {
  const bare = unquoted(id)
  return bare.trim() !== '' && !ANY_CASE.has(bare.toLowerCase()) && !EXACT.has(bare)
}
