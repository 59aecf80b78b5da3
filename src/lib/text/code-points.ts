/** Measures and cuts text by code points, which is close to what people count as characters; never splits a surrogate pair. */

/** Where the `most`-th code point ends; the text's length when there are fewer. */
function endOf(text: string, most: number): number {
  let at = 0
  for (let left = most; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** The text cut to at most `most` code points. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, endOf(text, most))

export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && endOf(text, most) < text.length
