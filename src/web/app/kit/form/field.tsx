/**
 * A field with its label, what to know about it, and what is wrong with it, all tied together for screen readers. What
 * goes inside gets the ids from `Field` by a function.
 */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../class-names.ts'
import styles from './field.module.css'

interface FieldTexts {
  label: string
  hint?: ReactNode
  /** What the server, or the form, says is wrong. */
  problem?: string | null | undefined
}

interface Ties {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}

interface FieldProps extends FieldTexts {
  children: (ties: Ties) => ReactNode
}

export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const described = classes(hint !== undefined && `${id}-hint`, problem != null && `${id}-problem`)
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': problem != null })}
      {hint !== undefined && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem != null && (
        <p className={styles.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** `onText` is called with the text alone. */
interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'onChange'> {
  onText: (text: string) => void
}

export function TextField({ label, hint, problem, onText, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ties) => (
        <input
          {...rest}
          {...ties}
          className={classes(styles.input, rest.className)}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<'select'>, 'onChange' | 'children'> {
  choices: readonly (readonly [value: string, name: string])[]
  onText: (value: string) => void
}

export function SelectField({ label, hint, problem, choices, onText, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ties) => (
        <select {...rest} {...ties} className={styles.input} onChange={(event) => onText(event.currentTarget.value)}>
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface SwitchFieldProps extends Pick<FieldTexts, 'label' | 'hint'> {
  checked: boolean
  disabled?: boolean | undefined
  /** What it was switched to is under way: until then it stays as it is, and keeps the focus. */
  busy?: boolean
  onChecked: (checked: boolean) => void
}

export function SwitchField({ label, hint, checked, disabled, busy = false, onChecked }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className={styles.switchRow}>
      <input
        type="checkbox"
        role="switch"
        id={id}
        className={styles.switch}
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        aria-disabled={busy || undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => busy || onChecked(event.currentTarget.checked)}
      />
      <div>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {hint !== undefined && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
