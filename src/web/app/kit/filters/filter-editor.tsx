/** One condition while it is being written: whose property, which, how it is compared, and with what. */
import { type FormEvent, useState } from 'react'
import { Button } from '../form/button.tsx'
import { SelectField, TextField } from '../form/field.tsx'
import { SuggestField, type Suggestion } from '../form/suggest-field.tsx'
import { Chips } from '../text/chips.tsx'
import styles from './filter-bar.module.css'
import type { AskedValues, FilterSource } from './filter-source.ts'
import { type ConditionDraft, conditionOf } from './filter-words.ts'
import { type Condition, kindOf, OPERATOR_NAMES, OPERATORS, type Operator } from './property-filter.ts'

interface FilterEditorProps {
  first: ConditionDraft
  sources: readonly FilterSource[]
  values: readonly Suggestion[]
  onAsk: (asked: AskedValues) => void
  onKeep: (condition: Condition) => void
  onClose: () => void
}

const OPERATOR_CHOICES = OPERATOR_NAMES.map((name) => [name, OPERATORS[name][0]] as const)

export function FilterEditor({ first, sources, values, onAsk, onKeep, onClose }: FilterEditorProps) {
  const [draft, setDraft] = useState(first)
  const [text, setText] = useState('')
  const set = (patch: Partial<ConditionDraft>) => setDraft((now) => ({ ...now, ...patch }))
  const { type, key, operator } = draft
  /** With what stands in the field and was not added. */
  const whole = text === '' ? draft : { ...draft, values: [...draft.values, text] }
  const condition = conditionOf(whole)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (condition) onKeep(condition)
  }
  const ask = (asked: Partial<AskedValues>) => onAsk({ type, key, text: '', ...asked })
  return (
    <form className={styles.editor} onSubmit={submit} aria-label="Filter">
      {sources.length > 1 && (
        <SelectField
          label="Of"
          choices={sources.map((source) => [source.type, source.name] as const)}
          value={type}
          onText={(chosen) => set({ type: chosen, key: '' })}
        />
      )}
      <SuggestField
        label="Property"
        placeholder="email"
        value={key}
        suggestions={sources.find((source) => source.type === type)?.keys ?? []}
        onText={(name) => set({ key: name })}
        onTake={(name) => {
          set({ key: name })
          ask({ key: name })
        }}
      />
      <SelectField
        label="Comparison"
        choices={OPERATOR_CHOICES}
        value={operator}
        onText={(chosen) => set({ operator: chosen as Operator, values: fittingValues(draft, chosen as Operator) })}
      />
      <ValueField
        draft={draft}
        text={text}
        suggestions={values}
        onValues={(list) => set({ values: list })}
        onText={(typed) => {
          setText(typed)
          ask({ text: typed })
        }}
      />
      <div className={styles.actions}>
        <Button kind="main" type="submit" disabled={condition === undefined}>
          Apply
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** A list of values stays one for another operator that takes lists; a single one is kept by any. */
const fittingValues = ({ values }: ConditionDraft, operator: Operator): string[] => {
  if (kindOf(operator) === 'none') return []
  return kindOf(operator) === 'list' ? values : values.slice(0, 1)
}

interface ValueFieldProps {
  draft: ConditionDraft
  /** Typed, but not one of the values yet. */
  text: string
  suggestions: readonly Suggestion[]
  onValues: (values: string[]) => void
  onText: (text: string) => void
}

const HINTS = {
  number: { label: 'Number', placeholder: '10' },
  date: { label: 'Date', placeholder: '2026-03-04 or -7d' },
  version: { label: 'Version', placeholder: '1.2.3' },
}

function ValueField({ draft, text, suggestions, onValues, onText }: ValueFieldProps) {
  const kind = kindOf(draft.operator)
  const { values } = draft
  if (kind === 'none') return null
  if (kind !== 'list')
    return (
      <TextField {...HINTS[kind]} value={values[0] ?? ''} autoComplete="off" onText={(value) => onValues([value])} />
    )
  return (
    <div className={styles.values}>
      <SuggestField
        label={values.length === 0 ? 'Value' : 'Or'}
        value={text}
        suggestions={suggestions.filter(({ value }) => !values.includes(value))}
        onText={onText}
        onTake={(value) => {
          if (value !== '' && !values.includes(value)) onValues([...values, value])
          onText('')
        }}
      />
      {values.length > 0 && (
        <Chips label="Values" items={values} onRemove={(gone) => onValues(values.filter((value) => value !== gone))} />
      )}
    </div>
  )
}
