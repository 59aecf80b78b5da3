/** Columns of lists of recordings: when, where, how long, and what happened in them. */
import { shortUrl } from '../../../../lib/text/short-url.ts'
import { clockTime } from '../../../../lib/time/clock-time.ts'
import { Moment } from '../text/moment.tsx'
import { bytesInWords, Count } from '../text/number.tsx'
import type { ListColumn } from './list-table.tsx'
import { RowLink } from './row-link.tsx'

export interface ListedRecording {
  id: string
  start_time: string
  start_url: string
  recording_duration: number
  active_seconds: number
  click_count: number
  keypress_count: number
  console_error_count: number
  viewed: boolean
  ongoing: boolean
  total_size: number
  recording_ttl: number
}

const SECOND = 1_000

/** How much of it somebody did something: `14:00, 23 %`. */
function activeShare({ active_seconds: active, recording_duration: whole }: ListedRecording): string {
  const share = Math.round((active / Math.max(whole, 1)) * 100)
  return `${clockTime(active * SECOND)}, ${Math.min(share, 100)} %`
}

/** `pathOf`: of the screen that plays it. */
export const recordingColumns = <Row extends ListedRecording>(
  zone: string,
  pathOf: (id: string) => string,
): ListColumn<Row>[] => [
  { name: 'When', track: '7rem', cell: ({ start_time }) => <Moment at={start_time} zone={zone} /> },
  {
    name: 'First page',
    track: 'minmax(0, 1fr)',
    cell: ({ id, start_url }) => (
      <RowLink className="one-line" to={pathOf(id)} data-row title={start_url || undefined}>
        {shortUrl(start_url) || id}
      </RowLink>
    ),
  },
  {
    name: 'Length',
    track: '3.75rem',
    cell: ({ recording_duration, ongoing }) => (
      <span title={ongoing ? 'Still being recorded' : undefined}>
        {clockTime(recording_duration * SECOND)}
        {ongoing && '…'}
      </span>
    ),
  },
  { name: 'Active', track: '5.75rem', cell: activeShare },
  { name: 'Clicks', track: '3rem', cell: ({ click_count }) => <Count value={click_count} /> },
  { name: 'Keys', track: '3rem', cell: ({ keypress_count }) => <Count value={keypress_count} /> },
  { name: 'Errors', track: '3rem', cell: ({ console_error_count }) => <Count value={console_error_count} /> },
  { name: 'Seen', track: '2.5rem', cell: ({ viewed }) => (viewed ? 'yes' : 'no') },
  { name: 'Size', track: '4rem', cell: ({ total_size }) => bytesInWords(total_size) },
  {
    name: 'Kept',
    track: '4rem',
    cell: ({ recording_ttl }) => `${recording_ttl} ${recording_ttl === 1 ? 'day' : 'days'}`,
  },
]
