/** Looks for something while somebody types: what was typed is told after a short rest, so that not every letter asks. */
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useEffect, useRef, useState } from 'react'
import { classes } from '../class-names.ts'
import fieldStyles from './field.module.css'
import styles from './search-field.module.css'

const REST_MS = 200

interface SearchFieldProps {
  label: string
  value: string
  onText: (text: string) => void
}

export function SearchField({ label, value, onText }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // It was changed elsewhere: by going back, or by clearing all filters.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const tell = (typed: string) => {
    clearTimeout(timer.current)
    setKnown(typed)
    onText(typed)
  }
  return (
    <div className={styles.place}>
      <MagnifyingGlassIcon aria-hidden="true" />
      <input
        type="search"
        className={classes(fieldStyles.input, styles.input)}
        aria-label={label}
        placeholder={label}
        value={text}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell(text)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.value
          setText(typed)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => tell(typed), REST_MS)
        }}
      />
    </div>
  )
}
