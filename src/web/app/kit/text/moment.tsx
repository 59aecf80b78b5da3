/**
 * An instant as people say it. On hover or focus it tells the time here, in the project's zone and in UTC, and as the API
 * writes it.
 */
import { type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react'
import { placeBelow } from '../overlay/place-below.ts'
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

/** Where they are not cut off, whatever the moment stands in. */
function placeZones(moment: HTMLElement | null | undefined): void {
  const zones = moment?.querySelector('dl')
  if (moment && zones) placeBelow(zones, moment)
}

export function Moment({ at, zone, now = Date.now(), never = 'never' }: MomentProps) {
  const [isAsked, setAsked] = useState(false)
  if (at === null) return <span>{never}</span>
  const ask = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    setAsked(true)
    placeZones(currentTarget)
  }
  return (
    <time
      className={styles.moment}
      dateTime={at}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the other zones are to be had by the keyboard too
      tabIndex={0}
      onPointerEnter={ask}
      onFocus={ask}
    >
      <span>{agoInWords(Date.parse(at), now)}</span>
      {isAsked && <Zones at={at} zone={zone} />}
    </time>
  )
}

/** Made when first asked for: a list has a hundred moments. */
function Zones({ at, zone }: { at: string; zone: string | undefined }) {
  const ref = useRef<HTMLDListElement>(null)
  useLayoutEffect(() => placeZones(ref.current?.parentElement), [])
  const zones = [
    ['Here', HERE],
    ['Project', zone],
    ['UTC', 'UTC'],
  ] as const
  return (
    <dl ref={ref} className={styles.zones}>
      {zones.map(
        ([name, id]) =>
          id !== undefined && (
            <div key={name} className={styles.zone}>
              <dt>{name}</dt>
              <dd>{`${inZone(Date.parse(at), id)} ${id}`}</dd>
            </div>
          ),
      )}
      <dt>ISO</dt>
      <dd>{at}</dd>
    </dl>
  )
}
