/**
 * Reads a whole list page by page (keyset pagination): each page begins after the last row of the page before, not at
 * an offset, so that rows inserted or removed meanwhile cause neither gaps nor repeats.
 */

const AT_ONCE = 1_000

type Read<Row> = (after: Row | null, limit: number) => Promise<Row[]>

/** Each call starts again at the first page. Ends at an empty page: a page that is not full may be followed by others. */
export const walkPages = <Row, View>(read: Read<Row>, view: (rows: Row[]) => View[] | Promise<View[]>) =>
  async function* (): AsyncGenerator<View[]> {
    let after: Row | null = null
    do {
      const rows: Row[] = await read(after, AT_ONCE)
      if (rows.length > 0) yield await view(rows)
      after = rows.at(-1) ?? null
    } while (after !== null)
  }

/** One page of a list whose reads may return fewer rows than asked for: reads on until it is full. Each call starts again. */
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
