/**
 * Numbers written as text, the way property filters read them: spaces are dropped, then the whole text
 * must be one finite decimal number (sign, fraction and exponent allowed; no hexadecimal, no words).
 */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Null when the text is not a number. */
export function readNumeric(text: string): number | null {
  const bare = text.replaceAll(' ', '')
  if (!DECIMAL.test(bare)) return null
  const number = Number(bare)
  return Number.isFinite(number) ? number : null
}
