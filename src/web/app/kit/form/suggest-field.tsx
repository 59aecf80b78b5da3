/**
 * A field that offers what is often wanted, as WAI-ARIA describes a combobox: arrows choose, Enter takes, Escape closes
 * the list. Anything else may be typed as well.
 */
import { type KeyboardEvent, useId, useState } from 'react'
import { classes } from '../class-names.ts'
import fieldStyles from './field.module.css'
import { Field } from './field.tsx'
import styles from './suggest-field.module.css'

export interface Suggestion {
  value: string
  /** Beside it: how often, or of which kind. */
  note?: string | undefined
}

interface SuggestFieldProps {
  label: string
  hint?: string
  placeholder?: string
  value: string
  suggestions: readonly Suggestion[]
  onText: (text: string) => void
  /** One was chosen, or Enter was pressed. */
  onTake: (text: string) => void
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const MOST = 50

/** Those with the text in them, whatever the case. */
function fitting(suggestions: readonly Suggestion[], text: string): readonly Suggestion[] {
  const part = text.toLowerCase()
  return suggestions.filter(({ value }) => value.toLowerCase().includes(part)).slice(0, MOST)
}

export function SuggestField({ label, hint, placeholder, value, suggestions, onText, onTake }: SuggestFieldProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const shown = isOpen ? fitting(suggestions, value) : []
  const chosen = shown[at]
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const take = (text: string) => {
    close()
    onTake(text)
  }
  const pressed = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by !== undefined) {
      setOpen(true)
      setAt((Math.max(at, by < 0 ? 0 : -1) + by + shown.length) % Math.max(shown.length, 1))
    } else if (event.key === 'Enter') take(chosen?.value ?? value)
    else if (event.key === 'Escape' && shown.length > 0) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Field label={label} hint={hint}>
      {(ties) => (
        <div className={styles.place}>
          <input
            {...ties}
            className={fieldStyles.input}
            role="combobox"
            aria-expanded={shown.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={chosen && `${id}-${at}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={value}
            onFocus={() => setOpen(true)}
            onClick={() => setOpen(true)}
            onBlur={close}
            onKeyDown={pressed}
            onChange={(event) => {
              setOpen(true)
              setAt(-1)
              onText(event.currentTarget.value)
            }}
          />
          <Options id={id} label={label} shown={shown} at={at} onTake={take} />
        </div>
      )}
    </Field>
  )
}

interface OptionsProps {
  id: string
  label: string
  shown: readonly Suggestion[]
  at: number
  onTake: (text: string) => void
}

function Options({ id, label, shown, at, onTake }: OptionsProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} className={styles.list} hidden={shown.length === 0}>
      {shown.map(({ value, note }, index) => (
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={index === at ? scrollIntoView : undefined}
          className={classes(styles.option, index === at && styles.chosen)}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(value)
          }}
        >
          <span>{value}</span>
          {note !== undefined && <small>{note}</small>}
        </div>
      ))}
    </div>
  )
}

const scrollIntoView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })
