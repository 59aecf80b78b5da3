/** Short words beside each other, each of which may be taken away. */
import { Cross2Icon } from '@radix-ui/react-icons'
import styles from './text.module.css'

interface ChipsProps {
  label: string
  items: readonly string[]
  onRemove?: (item: string) => void
}

export function Chips({ label, items, onRemove }: ChipsProps) {
  return (
    <ul className={`plain-list ${styles.chips}`} aria-label={label}>
      {items.map((item) => (
        <li key={item} className={styles.chip}>
          <span>{item}</span>
          {onRemove && (
            <button type="button" aria-label={`Remove ${item}`} onClick={() => onRemove(item)}>
              <Cross2Icon />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
