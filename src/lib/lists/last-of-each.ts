/** Of rows with the same key the last one, in the order in which the keys came first. */
export const lastOfEach = <T>(rows: T[], key: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
]
