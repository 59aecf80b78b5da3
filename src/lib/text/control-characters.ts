/**
 * Characters that are not seen and change what is: controls (terminals obey them) and those that embed, override or
 * isolate a direction (text then reads other than it is). Joiners (U+200C, U+200D) and direction marks (U+200E,
 * U+200F) are none of them: Persian, Hebrew and emoji need these.
 */

const ANY = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const ALL = new RegExp(ANY, 'gu')

export const hasControlCharacters = (text: string): boolean => ANY.test(text)

/** The text with each of them written out, such as `\u001b`. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(ALL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
