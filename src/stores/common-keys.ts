/** Which keys of properties are worth a column, in every engine: common ones whose values take few bytes a second time. */

/** A key is common when so large a part of a project's rows has it. */
export const COMMON = 0.1

/** For how many keys, and for how many bytes of a row, there is room in all columns of a table together. */
export interface Room {
  columns: number
  bytes: number
}

interface ColumnLimits {
  room: Room
  /** The most bytes of a value, as `widthOf` has it. */
  valueBytes: number
  /** Fewer rows of a project say nothing. */
  fewestRows: number
}

/** E-mails are what people are looked for by, so values of theirs may be longer, and need not repeat. */
export const COLUMN_LIMITS: Record<'events' | 'persons', ColumnLimits> = {
  events: { room: { columns: 48, bytes: 50 }, valueBytes: 16, fewestRows: 1_000 },
  persons: { room: { columns: 24, bytes: 400 }, valueBytes: 64, fewestRows: 100 },
}

/** Bytes of a value: a column is stored as its different values and the place of each, or else as it is. */
export function widthOf(values: number, different: number, bytes: number): number {
  const asTexts = bytes / values
  const asPlaces = (different * asTexts) / values + Math.ceil(Math.log2(different + 1)) / 8
  return Math.min(asTexts, asPlaces)
}
