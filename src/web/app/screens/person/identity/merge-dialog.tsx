/** Making one person of two: who else it is, what both have, and then one of them is a part of the other. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMergePerson } from '../../../data/people/merge.ts'
import { type PersonRow, peoplePageQuery } from '../../../data/people/people.ts'
import type { Person } from '../../../data/people/person.ts'
import { useProject } from '../../../data/session.ts'
import { Button } from '../../../kit/form/button.tsx'
import { SearchField } from '../../../kit/form/search-field.tsx'
import { Stack } from '../../../kit/layout/card.tsx'
import { Dialog } from '../../../kit/overlay/dialog.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Moment } from '../../../kit/text/moment.tsx'
import { useToldChange } from '../use-told-change.ts'
import styles from './identity.module.css'
import { MergePreview, MergeProblem } from './merge-preview.tsx'

interface MergeDialogProps {
  person: Person
  onClose: () => void
}

export function MergeDialog({ person, onClose }: MergeDialogProps) {
  const { id } = useProject()
  const [other, setOther] = useState<PersonRow | null>(null)
  const merge = useMergePerson(id, person.uuid)
  const told = useToldChange(person)
  const choose = (chosen: PersonRow) => {
    setOther(chosen)
    merge.reset()
  }
  const run = () => {
    if (!other) return
    merge.mutate(other.uuid, {
      onSuccess: () => {
        onClose()
        void told(`${other.name} is a part of ${person.name} now`)
      },
    })
  }
  return (
    <Dialog
      title={`Merge somebody into ${person.name}`}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" busy={merge.isPending} disabled={!other} onClick={run}>
            Merge
          </Button>
        </>
      }
    >
      <Stack wide>
        <p>Ids, events, recordings and history of the other become this person’s. The other is gone then.</p>
        <Others person={person} chosen={other} onChoose={choose} />
        {other && <MergePreview person={person} other={other} />}
        {other && merge.error && <MergeProblem error={merge.error} other={other} />}
      </Stack>
    </Dialog>
  )
}

const FEW = 8

interface OthersProps {
  person: Person
  chosen: PersonRow | null
  onChoose: (other: PersonRow) => void
}

function Others({ person, chosen, onChoose }: OthersProps) {
  const { id, timezone } = useProject()
  const [text, setText] = useState('')
  const { data, error } = useQuery({
    ...peoplePageQuery(id, { search: text, properties: '' }, 0),
    enabled: text !== '',
  })
  const found = (data?.results ?? []).filter(({ uuid }) => uuid !== person.uuid).slice(0, FEW)
  const shown = chosen && !found.some(({ uuid }) => uuid === chosen.uuid) ? [chosen, ...found] : found
  return (
    <>
      <SearchField label="Search by name, e-mail or id" value={text} onText={setText} />
      {error && <Problem error={error} />}
      {shown.length > 0 && (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">Who else it is</legend>
          {shown.map((row) => (
            <label key={row.uuid}>
              <input type="radio" name="other" checked={row.uuid === chosen?.uuid} onChange={() => onChoose(row)} />
              <span className={styles.name}>{row.name}</span>
              <small>
                since <Moment at={row.created_at} zone={timezone} />
              </small>
            </label>
          ))}
        </fieldset>
      )}
      <p role="status" className={styles.none}>
        {text !== '' && data && found.length === 0 && 'Nobody else is found.'}
      </p>
    </>
  )
}
