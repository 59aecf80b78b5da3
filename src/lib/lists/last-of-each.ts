/** The last row of each key, in the order in which the keys first occur. */
export const lastOfEach = <T>(rows: T[], key: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
]
