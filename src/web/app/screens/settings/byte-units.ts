/** A number of bytes as people type it: gigabytes, with a point. */

const GB = 1_000_000_000

export const toGigabytes = (bytes: number | null): string => (bytes === null ? '' : String(bytes / GB))

/** Null for nothing typed; undefined when it is no number. */
export function fromGigabytes(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) && value >= 0 ? Math.round(value * GB) : undefined
}
