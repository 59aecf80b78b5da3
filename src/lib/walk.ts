/**
 * Reads a list from end to end without holding it: each page begins after the last row of the page before, not at a
 * count of rows, so that rows which come or go meanwhile neither shift nor repeat any.
 */

const AT_ONCE = 1_000

type Read<Row> = (after: Row | null, limit: number) => Promise<Row[]>

/** Walks as often as it is called. A page that is not full is the last. */
export const walk = <Row, View>(read: Read<Row>, view: (rows: Row[]) => View[] | Promise<View[]>) =>
  async function* (): AsyncGenerator<View[]> {
    let after: Row | null = null
    do {
      const rows: Row[] = await read(after, AT_ONCE)
      yield await view(rows)
      after = rows.length < AT_ONCE ? null : (rows.at(-1) ?? null)
    } while (after !== null)
  }
