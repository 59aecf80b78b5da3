/** A property while it is changed, by its kind. If somebody else changed it meanwhile, both values are shown, and asked. */
import type { FormEvent } from 'react'
import { Button } from '../../../kit/form/button.tsx'
import { SelectField, TextField } from '../../../kit/form/field.tsx'
import { Row } from '../../../kit/layout/card.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import styles from '../person.module.css'
import { Conflict } from './conflict.tsx'
import { type Draft, draftValue, ofKind } from './draft.ts'
import { KINDS, type Kind } from './property-kinds.ts'
import type { Saving } from './use-saving.ts'
import { ValueInput } from './value-input.tsx'

interface PropertyEditorProps {
  draft: Draft
  saving: Saving
}

export function PropertyEditor({ draft, saving }: PropertyEditorProps) {
  const { isBusy, error, write } = saving
  const { key, kind, text, isNew, before, found } = draft
  const read = draftValue(draft)
  const done = () => saving.open(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    write(before)
  }
  if (found)
    return (
      <>
        <Conflict
          name={key}
          isNew={isNew}
          before={before}
          now={found.now}
          mine={read?.value}
          busy={isBusy}
          onMine={() => write(found.now)}
          onTheirs={done}
        />
        {error !== null && <Problem error={error} />}
      </>
    )
  return (
    <form className={styles.editor} onSubmit={submit} aria-label={isNew ? 'New property' : `Edit ${key}`}>
      {isNew && (
        <TextField
          label="Name"
          required
          autoFocus
          value={key}
          onText={(name) => saving.change({ ...draft, key: name })}
        />
      )}
      <SelectField
        label="Kind"
        choices={KINDS}
        value={kind}
        onText={(chosen) => saving.change(ofKind(draft, chosen as Kind))}
      />
      <ValueInput
        kind={kind}
        text={text}
        isWrong={read === null}
        onText={(typed) => saving.change({ ...draft, text: typed })}
      />
      <Row>
        <Button kind="main" type="submit" busy={isBusy} disabled={read === null || key === ''}>
          Save
        </Button>
        <Button kind="quiet" onClick={done}>
          Cancel
        </Button>
      </Row>
      {error !== null && <Problem error={error} />}
    </form>
  )
}
