/** Several short texts, such as names of properties: Enter adds one, each can be taken away. */
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { classes } from '../class-names.ts'
import { Chips } from '../text/chips.tsx'
import { Button } from './button.tsx'
import fieldStyles from './field.module.css'
import { Field } from './field.tsx'
import styles from './list-field.module.css'

interface ListFieldProps {
  label: string
  hint?: string
  placeholder?: string
  problem?: string | null
  items: readonly string[]
  disabled?: boolean
  onItems: (items: string[]) => void
}

export function ListField({ label, hint, placeholder, problem, items, disabled = false, onItems }: ListFieldProps) {
  const [text, setText] = useState('')
  const add = () => {
    const item = text.trim()
    if (item !== '' && !items.includes(item)) onItems([...items, item])
    setText('')
  }
  const rest = disabled ? {} : { onRemove: (item: string) => onItems(items.filter((other) => other !== item)) }
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ties) => (
        <div className={styles.list}>
          {items.length > 0 && <Chips label={label} items={items} {...rest} />}
          <div className={styles.adding}>
            <input
              {...ties}
              className={classes(fieldStyles.input, styles.input)}
              value={text}
              disabled={disabled}
              placeholder={placeholder}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <Button icon={<PlusIcon />} onClick={add} disabled={disabled || text.trim() === ''}>
              Add
            </Button>
          </div>
        </div>
      )}
    </Field>
  )
}
