/** Copies the rows of an event store into another one, and goes on where it was cut off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreAway } from '../../lib/errors.ts'
import { addMoved, type EventsFill, type EventsWalk, MOVED, type MovedPage, type MovedRows } from './moved-rows.ts'
import { type Progress, rowsIn, Sums, type WrittenSums } from './sums.ts'

/** What is noted in the target. */
export interface EventsNote {
  /** Of which the target is a copy. */
  source: string
  /** The place in `MOVED` of what is copied, and where its next page begins; null: at its beginning. */
  kind: number
  next: string | null
  sums: WrittenSums
}

export const readEventsNote = (text: string | null): EventsNote | null => (text === null ? null : JSON.parse(text))

/** How often a store that is away is asked again, and the pause before. */
const TRIES = 60
const PAUSE_MS = 1_000

/** The pages from a place on. A store that does not answer is asked again for a minute: a copy may take hours. */
async function* pagesOf<K extends keyof MovedRows>(
  walk: EventsWalk,
  kind: K,
  from: string | null,
): AsyncGenerator<MovedPage<MovedRows[K]>> {
  let next = from
  for (let tries = 0; ; tries++) {
    try {
      for await (const page of walk.pages(kind, next)) {
        yield page
        next = page.next
        tries = 0
      }
      return
    } catch (error) {
      if (!isStoreAway(error) || tries === TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** The pages, each read while the one before it is stored. */
async function* ahead<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pages[Symbol.asyncIterator]()
  let coming = iterator.next()
  for (;;) {
    const { value, done } = await coming
    if (done) return
    coming = iterator.next()
    // Whoever waits for it gets the error.
    coming.catch(() => {})
    yield value
  }
}

async function copyKind(walk: EventsWalk, fill: EventsFill, note: EventsNote, progress: Progress): Promise<void> {
  const kind = MOVED[note.kind] as keyof MovedRows
  const sums = Sums.read(note.sums)
  for await (const { rows, next } of ahead(pagesOf(walk, kind, note.next))) {
    addMoved(sums, kind, rows)
    note.next = next
    note.sums = sums.write()
    await fill.add(kind, rows, JSON.stringify(note))
    progress(rows.length)
  }
}

/** Returns what there is in the source. */
export async function copyEvents(
  walk: EventsWalk,
  fill: EventsFill,
  source: string,
  progress: Progress,
): Promise<WrittenSums> {
  const note = readEventsNote(await fill.noted()) ?? { source, kind: 0, next: null, sums: {} }
  progress(rowsIn(note.sums), true)
  await fill.note(JSON.stringify(note))
  while (note.kind < MOVED.length) {
    await copyKind(walk, fill, note, progress)
    note.kind += 1
    note.next = null
    await fill.note(JSON.stringify(note))
  }
  return note.sums
}

/** What there is in a store. */
export async function sumEvents(walk: EventsWalk, progress: Progress): Promise<WrittenSums> {
  const sums = new Sums()
  for (const kind of MOVED) {
    for await (const { rows } of ahead(pagesOf(walk, kind, null))) {
      addMoved(sums, kind, rows)
      progress(rows.length)
    }
  }
  return sums.write()
}

export async function countMoved(walk: EventsWalk): Promise<number> {
  let all = 0
  for (const kind of MOVED) all += await walk.count(kind)
  return all
}
