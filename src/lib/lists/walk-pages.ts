/**
 * Reads a list from end to end without holding it: each page begins after the last row of the page before, not at a
 * count of rows, so that rows which come or go meanwhile neither shift nor repeat any.
 */

const AT_ONCE = 1_000

type Read<Row> = (after: Row | null, limit: number) => Promise<Row[]>

/** Walks as often as it is called, up to a page without rows: one that is not full may be followed by others. */
export const walk = <Row, View>(read: Read<Row>, view: (rows: Row[]) => View[] | Promise<View[]>) =>
  async function* (): AsyncGenerator<View[]> {
    let after: Row | null = null
    do {
      const rows: Row[] = await read(after, AT_ONCE)
      if (rows.length > 0) yield await view(rows)
      after = rows.at(-1) ?? null
    } while (after !== null)
  }

/** One page of a list whose pages may be cut short, read until it is whole; walks as often as it is called. */
export const walkPage = <View>(
  read: (page: { limit: number; offset: number }) => Promise<View[]>,
  { limit, offset }: { limit: number; offset: number },
) =>
  async function* (): AsyncGenerator<View[]> {
    for (let given = 0; given < limit; ) {
      const rows = await read({ limit: limit - given, offset: offset + given })
      if (rows.length === 0) return
      yield rows
      given += rows.length
    }
  }
