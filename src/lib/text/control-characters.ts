/**
 * Invisible characters that change what is displayed: controls (terminals obey them) and those that embed, override or
 * isolate a text direction (the text then looks different from what it says). Joiners (U+200C, U+200D) and direction
 * marks (U+200E, U+200F) are not included: Persian, Hebrew and emoji need them.
 */

const ANY = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const ALL = new RegExp(ANY, 'gu')

export const hasControlCharacters = (text: string): boolean => ANY.test(text)

/** The text with each of them written out, such as `\u001b`. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(ALL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
