/** The end of a project and of everything in it. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayUse } from '../../data/boot.ts'
import { projectQuery, type Usage, usageQuery, useRemoveProject } from '../../data/projects.ts'
import { leaveFor, useProject } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { Count } from '../../kit/text/number.tsx'
import { reasonOf } from './use-settings.ts'

export function DeleteScreen() {
  const { id, scopes } = useProject()
  const { data: project } = useSuspenseQuery(projectQuery(id))
  const { data: usage } = useQuery(usageQuery(id))
  const [isAsked, setAsked] = useState(false)
  const remove = useRemoveProject(id)
  return (
    <Card
      danger
      title="Delete this project"
      about="Its events, people, recordings, insights and reports go with it. Only a backup brings them back."
      actions={
        <Button kind="danger" reason={reasonOf(mayUse(scopes, 'project:write'))} onClick={() => setAsked(true)}>
          Delete the project
        </Button>
      }
    >
      <Held usage={usage} />
      {isAsked && (
        <Confirm
          title={`Delete “${project.name}”?`}
          action="Delete everything"
          typed={project.name}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => leaveFor('/') })}
        >
          <Held usage={usage} />
        </Confirm>
      )}
    </Card>
  )
}

function Held({ usage }: { usage: Usage | undefined }) {
  if (usage === undefined) return <p>Everything that was captured for it is removed at once.</p>
  const { events, persons, recordings } = usage
  return (
    <p>
      <Counted count={events.count} one="event" many="events" />,{' '}
      <Counted count={persons.count} one="person" many="people" /> and{' '}
      <Counted count={recordings.count} one="recording" many="recordings" /> are removed at once.
    </p>
  )
}

function Counted({ count, one, many }: { count: number; one: string; many: string }) {
  return (
    <span>
      <Count value={count} /> {count === 1 ? one : many}
    </span>
  )
}
