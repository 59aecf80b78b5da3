/**
 * Unicode case folding: two texts that differ only in case fold to the same text, and a part of a text
 * folds to a part of the folded text. Accents and composition are left alone.
 */

/**
 * Lower, upper, lower: the middle step unifies letters with several lower-case forms (`ſ` and `s`, `ß` and `ẞ`).
 * Lower-casing writes Σ as ς at the end of a word, so that the word would not be found inside a longer one.
 */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
