/** Columns of lists of sessions: when, for how long, from where, and through which pages. */
import { clockTime } from '../../../../lib/time/clock-time.ts'
import { Moment } from '../text/moment.tsx'
import { Count } from '../text/number.tsx'
import type { ListColumn } from './list-table.tsx'
import { RowLink } from './row-link.tsx'

export interface ListedSession {
  id: string
  start_time: string
  duration: number
  recording: { recording_duration: number } | null
  properties: Readonly<Record<string, unknown>>
}

interface Paths {
  events: string
  replay: (id: string) => string
}

const SECOND = 1_000

/** The first of these properties that is a text. */
const textOf = ({ properties }: ListedSession, ...names: string[]): string =>
  names
    .map((name) => properties[name])
    .filter((value) => typeof value === 'string')
    .find((text) => text !== '') ?? ''

const countOf = ({ properties }: ListedSession, name: string): number => Number(properties[name] ?? 0)

const OneLine = ({ text }: { text: string }) => <span className="one-line">{text}</span>

/** `paths`: of the screens that list its events and play its recording. */
export const sessionColumns = <Row extends ListedSession>(zone: string, paths: Paths): ListColumn<Row>[] => [
  { name: 'Began', track: '7rem', cell: ({ start_time }) => <Moment at={start_time} zone={zone} /> },
  { name: 'Length', track: '4.5rem', cell: ({ duration }) => clockTime(duration * SECOND) },
  {
    name: 'Pages',
    track: '4rem',
    cell: (row) => <Count value={countOf(row, '$pageview_count') + countOf(row, '$screen_count')} />,
  },
  {
    name: 'Entry',
    track: 'minmax(0, 1.5fr)',
    cell: (row) => (
      <RowLink className="one-line" data-row to={paths.events} search={{ session_id: row.id }}>
        {textOf(row, '$entry_pathname', '$entry_current_url') || row.id}
      </RowLink>
    ),
  },
  {
    name: 'Exit',
    track: 'minmax(0, 1.5fr)',
    cell: (row) => <OneLine text={textOf(row, '$end_pathname', '$end_current_url')} />,
  },
  { name: 'Channel', track: '7.5rem', cell: (row) => textOf(row, '$channel_type') },
  {
    name: 'Source',
    track: 'minmax(0, 1fr)',
    cell: (row) => <OneLine text={textOf(row, '$entry_utm_source', '$entry_referring_domain')} />,
  },
  {
    name: 'Recording',
    track: '6rem',
    cell: ({ id, recording }) =>
      recording && <RowLink to={paths.replay(id)}>Watch {clockTime(recording.recording_duration * SECOND)}</RowLink>,
  },
]
