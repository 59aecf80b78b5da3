/**
 * Fields above a list, beside each other, that narrow it. A text counts when it is complete: by Enter, by going
 * elsewhere, or by choosing one of those that are offered; half an id would only find nothing.
 */
import { type ReactNode, useId, useState } from 'react'
import { classes } from '../class-names.ts'
import fieldStyles from './field.module.css'
import { Field } from './field.tsx'
import styles from './text-filter.module.css'

export function FilterRow({ children }: { children: ReactNode }) {
  return (
    <search className={styles.row} aria-label="Filters">
      {children}
    </search>
  )
}

interface TextFilterProps {
  label: string
  placeholder?: string
  /** The one that counts. */
  value: string
  /** Offered while typing. */
  suggestions?: readonly string[]
  problem?: string | null
  onCommit: (text: string) => void
}

export function TextFilter({ label, placeholder, value, suggestions = [], problem, onCommit }: TextFilterProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const list = useId()
  const commit = (text: string) => {
    setDraft(null)
    if (text.trim() !== value) onCommit(text.trim())
  }
  return (
    <Field label={label} problem={problem}>
      {(ties) => (
        <>
          <input
            {...ties}
            type="search"
            className={classes(fieldStyles.input)}
            list={suggestions.length > 0 ? list : undefined}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            value={draft ?? value}
            onChange={(event) => {
              const text = event.currentTarget.value
              const isChosen = suggestions.includes(text)
              if (text === '' || isChosen) commit(text)
              else setDraft(text)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit(event.currentTarget.value)
            }}
            onBlur={(event) => commit(event.currentTarget.value)}
          />
          {suggestions.length > 0 && (
            <datalist id={list}>
              {suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}
