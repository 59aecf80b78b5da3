/** How far a new password is from being long enough. */

export const SHORTEST = 12

/** Characters as people count them; the server counts the same. */
export const lengthOf = (password: string): number => [...password.normalize('NFC')].length

export function lengthInWords(password: string): string {
  const length = lengthOf(password)
  if (length === 0) return `At least ${SHORTEST} characters. A few words are easier to remember than signs.`
  return length < SHORTEST ? `${length} of ${SHORTEST} characters` : 'Long enough'
}
