/** Why there is nothing to watch, in the words of each case: it was deleted, has expired, or never was. */

const DAY_MS = 86_400_000

export const DAYS_KEPT = { '30d': 30, '90d': 90, '1y': 365, '5y': 1_825 } as const

interface Asked {
  isDeleted: boolean
  session: string
  /** How long the project keeps recordings; undefined: not known. */
  days: number | undefined
  now: number
}

export interface GoneWords {
  title: string
  words: string
}

/** Ids of sessions that SDKs make begin with the time. */
const TIMED = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i

export function beganAt(session: string): number | null {
  const [, first, second] = TIMED.exec(session) ?? []
  return first === undefined ? null : Number.parseInt(`${first}${second}`, 16)
}

export function goneWords({ isDeleted, session, days, now }: Asked): GoneWords {
  if (isDeleted)
    return { title: 'This recording was deleted', words: 'Nothing of it is left. The events of its session stay.' }
  const began = beganAt(session)
  const midnight = began === null ? null : Math.floor(began / DAY_MS) * DAY_MS
  if (days !== undefined && midnight !== null && now >= midnight + days * DAY_MS)
    return {
      title: 'This recording has expired',
      words: `This project keeps recordings for ${days} days, and the session was before that. Its events stay.`,
    }
  return {
    title: 'There is no such recording',
    words: 'The session was not recorded, or the link is not complete.',
  }
}
