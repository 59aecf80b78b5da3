/** Lengths of text by code points, which is what people count as characters: half of a surrogate pair is no text. */

/** Where the `most`-th code point ends; the text's length when there are fewer. */
function endOf(text: string, most: number): number {
  let at = 0
  for (let left = most; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** At most so many code points of the text. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, endOf(text, most))

export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && endOf(text, most) < text.length
