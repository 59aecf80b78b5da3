/** An event as the API has it, to read and to copy. All of it is copied, however much is drawn. */
import { useMemo } from 'react'
import type { EventRow } from '../../data/events.ts'
import { CopyButton } from '../../kit/text/code.tsx'
import { CutText } from './cut-text.tsx'
import styles from './events.module.css'

const FIRST = 20_000

export function EventJson({ event }: { event: EventRow }) {
  const text = useMemo(() => JSON.stringify(event, null, 2), [event])
  return (
    <figure className={styles.json} aria-label="The event as JSON">
      <CopyButton text={text} name="Copy the JSON" />
      <CutText value={text} first={FIRST} />
    </figure>
  )
}
