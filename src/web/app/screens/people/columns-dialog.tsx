/** Choosing which properties are shown beside the name. */
import { useState } from 'react'
import { usePropertyNames } from '../../data/people/person-suggestions.ts'
import { Button } from '../../kit/form/button.tsx'
import { SuggestField } from '../../kit/form/suggest-field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Chips } from '../../kit/text/chips.tsx'

interface ColumnsDialogProps {
  columns: readonly string[]
  onColumns: (columns: string[]) => void
  onClose: () => void
}

/** More would be too narrow to read. */
const MOST = 6

export function ColumnsDialog({ columns, onColumns, onClose }: ColumnsDialogProps) {
  const [text, setText] = useState('')
  const names = usePropertyNames('person').filter(({ value }) => !columns.includes(value))
  const add = (name: string) => {
    if (name !== '' && !columns.includes(name)) onColumns([...columns, name])
    setText('')
  }
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      actions={
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Stack wide>
        {columns.length > 0 ? (
          <Chips
            label="Columns"
            items={columns}
            onRemove={(gone) => onColumns(columns.filter((name) => name !== gone))}
          />
        ) : (
          <p>Only the name and when they were here.</p>
        )}
        {columns.length < MOST ? (
          <SuggestField
            label="Add a property"
            placeholder="plan"
            value={text}
            suggestions={names}
            onText={setText}
            onTake={add}
          />
        ) : (
          <p>That is as many as can be read beside each other. Remove one to add another.</p>
        )}
      </Stack>
    </Dialog>
  )
}
