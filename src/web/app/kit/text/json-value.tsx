/** A value as JSON has it, short in a line, by its kind. */
import styles from './text.module.css'

/** A text as it is, anything else as JSON. */
export const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? 'not set' : JSON.stringify(value)

const LONG = 300

/** What is cut off is told on hover. */
export function JsonValue({ value }: { value: unknown }) {
  const text = jsonText(value)
  const isLong = text.length > LONG
  const shown = isLong ? `${text.slice(0, LONG)}…` : text
  if (value === undefined || value === null || text === '')
    return <span className={styles.nothing}>{text === '' ? 'empty text' : text}</span>
  return (
    <span
      className={typeof value === 'string' ? styles.plain : styles.json}
      title={text.length > 40 ? text.slice(0, 2_000) : undefined}
    >
      {shown}
    </span>
  )
}
