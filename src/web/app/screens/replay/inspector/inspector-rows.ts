/** What the list beside the player shows: events of the session, and what was recorded with it, in order of time. */
import { pageOf } from '../../../data/events/event-page.ts'
import type { EventRow } from '../../../data/events.ts'
import type { PlayerEntry } from '../../../data/recordings/player.ts'
import type { Only, TabId } from '../replay.search.ts'

export interface InspectorRow {
  /** Unlike that of the others. */
  id: string
  kind: PlayerEntry['kind'] | 'event'
  timestamp: number
  text: string
  /** What is known beside it, in a few words. */
  about: string
  /** Of a request. */
  method?: string | undefined
  status?: number | undefined
  milliseconds?: number | undefined
}

const CONSOLE: readonly InspectorRow['kind'][] = ['log', 'warn', 'error']

const IN_TAB: Record<TabId, (kind: InspectorRow['kind']) => boolean> = {
  all: () => true,
  events: (kind) => kind === 'event',
  console: (kind) => CONSOLE.includes(kind),
  network: (kind) => kind === 'request',
}

const ofEvent = ({ uuid, event, timestamp, properties }: EventRow): InspectorRow => ({
  id: uuid,
  kind: 'event',
  timestamp: Date.parse(timestamp),
  text: event,
  about: pageOf(properties),
})

function aboutRequest({ method, status, milliseconds }: PlayerEntry): string {
  const took = milliseconds === undefined ? '' : `${Math.round(milliseconds)} ms`
  return [method, status === undefined || status === 0 ? '' : String(status), took].filter(Boolean).join(' · ')
}

const ofEntry = (entry: PlayerEntry, place: number): InspectorRow => ({
  id: `${place} ${entry.timestamp}`,
  kind: entry.kind,
  timestamp: entry.timestamp,
  text: entry.text,
  ...(entry.kind === 'request'
    ? { about: aboutRequest(entry), method: entry.method, status: entry.status, milliseconds: entry.milliseconds }
    : { about: '' }),
})

/** All of them, by time. */
export const inspectorRows = (events: readonly EventRow[], entries: readonly PlayerEntry[]): InspectorRow[] =>
  [...entries.map(ofEntry), ...events.map(ofEvent)].sort((a, b) => a.timestamp - b.timestamp)

const hasFailed = ({ kind, status = 0 }: InspectorRow): boolean => kind === 'request' && status >= 400
const SLOW_MS = 1_000

const IS: Record<Only, (row: InspectorRow) => boolean> = {
  all: () => true,
  pages: ({ kind }) => kind === 'page',
  clicks: ({ kind }) => kind === 'click',
  // The SDK's have a dollar before their names.
  own: ({ text }) => !text.startsWith('$'),
  warnings: ({ kind }) => kind === 'warn' || kind === 'error',
  errors: (row) => row.kind === 'error' || hasFailed(row),
  failed: hasFailed,
  slow: ({ milliseconds = 0 }) => milliseconds >= SLOW_MS,
}

/** What each tab can be narrowed to, in words. */
export const NARROWER: Record<TabId, readonly (readonly [Only, string])[]> = {
  all: [
    ['all', 'Everything'],
    ['pages', 'Pages'],
    ['clicks', 'Clicks'],
    ['errors', 'Errors'],
  ],
  events: [
    ['all', 'All events'],
    ['own', 'Without the SDK’s own'],
  ],
  console: [
    ['all', 'All levels'],
    ['warnings', 'Warnings, errors'],
    ['errors', 'Errors'],
  ],
  network: [
    ['all', 'All requests'],
    ['failed', 'Failed'],
    ['slow', 'A second or more'],
  ],
}

/** Of an address that was written by hand, too: what is for another tab is nothing here. */
export const onlyIn = (tab: TabId, only: Only): Only => (NARROWER[tab].some(([id]) => id === only) ? only : 'all')

interface Narrowing {
  tab: TabId
  only: Only
  search: string
}

/** Of those, what a tab, its small filter and the words of a search leave. */
export function narrowed(rows: readonly InspectorRow[], { tab, only, search }: Narrowing): InspectorRow[] {
  const words = search.toLowerCase().split(/\s+/)
  const isWanted = IS[onlyIn(tab, only)]
  return rows.filter((row) => {
    const whole = `${row.text} ${row.about}`.toLowerCase()
    return IN_TAB[tab](row.kind) && isWanted(row) && words.every((word) => whole.includes(word))
  })
}

/** The index of the last row that is not later; -1: all are. */
export function rowAtTime(rows: readonly InspectorRow[], time: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle] as InspectorRow).timestamp > time) high = middle
    else low = middle + 1
  }
  return low - 1
}

/** The row before a time, or the one after it. */
export const rowBeside = (rows: readonly InspectorRow[], time: number, step: 1 | -1): InspectorRow | undefined =>
  step === 1 ? rows[rowAtTime(rows, time) + 1] : rows[rowAtTime(rows, time - 1)]
