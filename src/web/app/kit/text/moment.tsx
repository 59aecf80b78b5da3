/**
 * An instant as people say it. On hover or focus it tells the time here, in the project's zone and in UTC, and as the API
 * writes it.
 */
import { agoInWords, inZone } from './moment-words.ts'
import styles from './text.module.css'

interface MomentProps {
  /** As the API writes it; null when it never happened. */
  at: string | null
  /** The project's zone, where there is a project. */
  zone?: string | undefined
  now?: number
  /** What to say when it never happened. */
  never?: string
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function Moment({ at, zone, now = Date.now(), never = 'never' }: MomentProps) {
  if (at === null) return <span>{never}</span>
  const instant = Date.parse(at)
  const zones = [
    ['Here', HERE],
    ['Project', zone],
    ['UTC', 'UTC'],
  ] as const
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the other zones are to be had by the keyboard too
    <time className={styles.moment} dateTime={at} tabIndex={0}>
      <span>{agoInWords(instant, now)}</span>
      <dl className={styles.zones}>
        {zones.map(
          ([name, id]) =>
            id !== undefined && (
              <div key={name} className={styles.zone}>
                <dt>{name}</dt>
                <dd>{`${inZone(instant, id)} ${id}`}</dd>
              </div>
            ),
        )}
        <dt>ISO</dt>
        <dd>{at}</dd>
      </dl>
    </time>
  )
}
