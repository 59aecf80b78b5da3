/**
 * Relative dates: `-7d`, `-24h`, `-2w`, `-3m` (months), `-1y`. The minus may be
 * left out; they are always in the past. Months and years follow the UTC calendar: a day that the target
 * month does not have becomes its last one.
 */
import { DAY, HOUR } from '../../lib/time/time.ts'

const SHAPE = /^-?(\d{1,4})([hdwmy])$/

export interface RelativeDate {
  instant: number
  /** In days or longer units, so that "exact" means that day. */
  wholeDays: boolean
}

function monthsBefore(now: number, months: number): number {
  const date = new Date(now)
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months + 1, 0))
  const day = Math.min(date.getUTCDate(), target.getUTCDate())
  return target.getTime() + (day - target.getUTCDate()) * DAY + (((now % DAY) + DAY) % DAY)
}

/** Null when the text is not of this form. The instant may lie before the year 1. */
export function readRelativeDate(text: string, now: number): RelativeDate | null {
  const match = SHAPE.exec(text.trim())
  if (!match) return null
  const amount = Number(match[1])
  switch (match[2]) {
    case 'h':
      return { instant: now - amount * HOUR, wholeDays: false }
    case 'd':
      return { instant: now - amount * DAY, wholeDays: true }
    case 'w':
      return { instant: now - amount * 7 * DAY, wholeDays: true }
    case 'm':
      return { instant: monthsBefore(now, amount), wholeDays: true }
    default:
      return { instant: monthsBefore(now, amount * 12), wholeDays: true }
  }
}
