/** The field for a value, by its kind. */
import { Field, SelectField, TextField } from '../../../kit/form/field.tsx'
import styles from '../person.module.css'
import type { Kind } from './property-kinds.ts'

interface ValueInputProps {
  kind: Kind
  text: string
  /** It is none of its kind. */
  isWrong: boolean
  onText: (text: string) => void
}

const YES_NO = [
  ['true', 'Yes (true)'],
  ['false', 'No (false)'],
] as const

export function ValueInput({ kind, text, isWrong, onText }: ValueInputProps) {
  if (kind === 'nothing') return null
  if (kind === 'boolean') return <SelectField label="Value" choices={YES_NO} value={text} onText={onText} />
  if (kind === 'number') {
    const problem = isWrong && text !== '' ? 'This is not a number.' : null
    return <TextField label="Value" inputMode="decimal" value={text} problem={problem} onText={onText} />
  }
  return (
    <Field label="Value" problem={isWrong ? 'This is not JSON.' : null}>
      {(ties) => (
        <textarea
          {...ties}
          className={kind === 'json' ? styles.jsonArea : styles.area}
          rows={Math.min(12, Math.max(kind === 'json' ? 3 : 1, text.split('\n').length))}
          spellCheck={kind === 'text'}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
