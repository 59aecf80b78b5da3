/** Splitting a person: which ids stay, and which leave, each to become a person of its own, and how many events each has. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { mayUse } from '../../../data/boot.ts'
import type { Person } from '../../../data/people/person.ts'
import { eventsByIdQuery, useSplitPerson } from '../../../data/people/split.ts'
import { useProject } from '../../../data/session.ts'
import { Button } from '../../../kit/form/button.tsx'
import { Stack } from '../../../kit/layout/card.tsx'
import { Dialog } from '../../../kit/overlay/dialog.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { useToldChange } from '../use-told-change.ts'
import { SplitColumns } from './split-columns.tsx'

interface SplitDialogProps {
  person: Person
  onClose: () => void
}

export function SplitDialog({ person, onClose }: SplitDialogProps) {
  const { id, scopes } = useProject()
  const [chosen, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const { data: events, error, refetch } = useQuery(eventsByIdQuery(id, person.uuid))
  const split = useSplitPerson(id, person.uuid)
  const told = useToldChange(person)
  const form = useId()
  const ids = person.distinct_ids
  // Somebody else may have taken one away meanwhile.
  const leaving = new Set(ids.filter((one) => chosen.has(one)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    split.mutate([...leaving], {
      onSuccess: ({ split: made }) => {
        onClose()
        void told(
          made.length === 1 ? 'One id is a person of its own now' : `${made.length} ids are persons of their own now`,
        )
      },
    })
  }
  const toggle = (one: string) =>
    setLeaving((now) => new Set(now.has(one) ? [...now].filter((other) => other !== one) : [...now, one]))
  const isAll = leaving.size === ids.length
  return (
    <Dialog
      title={`Split ${person.name}`}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="main"
            type="submit"
            form={form}
            busy={split.isPending}
            disabled={leaving.size === 0 || isAll}
            reason={mayUse(scopes, 'person:write') ? undefined : 'Needs the scope person:write'}
          >
            {leaving.size === 0 ? 'Split' : `Split off ${leaving.size === 1 ? 'one id' : `${leaving.size} ids`}`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Stack wide>
          {ids.length < 2 ? (
            <p>This person has a single id: there is nothing to split.</p>
          ) : (
            <>
              <p>Press the ids that are somebody else’s. Each leaves with its events.</p>
              <SplitColumns
                person={person}
                leaving={leaving}
                events={events}
                noNumber={error ? 'events not counted' : '…'}
                onMove={toggle}
              />
              <p role="status" className="visually-hidden">
                {leaving.size} of {ids.length} ids leave.
              </p>
            </>
          )}
          {isAll && <Notice kind="warn">At least one id has to stay.</Notice>}
          {error && <Problem error={error} onRetry={() => refetch()} />}
          {split.error && <Problem error={split.error} />}
        </Stack>
      </form>
    </Dialog>
  )
}
