/** A number, grouped and in figures of equal width; bytes in the unit that fits. */
import { fullNumber } from '../../../../lib/text/human-format.ts'
import styles from './text.module.css'

export function Count({ value }: { value: number }) {
  return <span className={styles.number}>{fullNumber(value)}</span>
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** `1.2 GB`, in powers of a thousand, as the settings are written. */
export function bytesInWords(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${UNITS[power]}`
}
