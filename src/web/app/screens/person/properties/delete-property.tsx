/** Deleting one property, after a question. */
import { ChangedMeanwhile, type Person, useChangeProperty } from '../../../data/people/person.ts'
import { useProject } from '../../../data/session.ts'
import { Confirm } from '../../../kit/overlay/confirm.tsx'
import { JsonValue } from '../../../kit/text/json-value.tsx'
import { useToldChange } from '../use-told-change.ts'
import type { Property } from './draft.ts'

interface DeletePropertyProps {
  person: Person
  /** As it was when it was asked for. */
  property: Property
  onClose: () => void
}

export function DeleteProperty({ person, property: { key: name, value: before }, onClose }: DeletePropertyProps) {
  const { id } = useProject()
  const remove = useChangeProperty(id, person.uuid)
  const told = useToldChange(person)
  const { error } = remove
  const isChanged = error instanceof ChangedMeanwhile
  const run = () =>
    remove.mutate(
      { key: name, value: undefined, before: isChanged ? error.now : before },
      {
        onSuccess: () => {
          onClose()
          void told(`“${name}” is deleted`)
        },
      },
    )
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action={isChanged ? 'Delete it anyway' : 'Delete the property'}
      busy={remove.isPending}
      error={isChanged ? null : error}
      onClose={onClose}
      onConfirm={run}
    >
      <p>
        Its value is <JsonValue value={before} />. The history of this person keeps it; an event may set it again.
      </p>
      {isChanged && (
        <p role="alert">
          It was changed by somebody else meanwhile, to <JsonValue value={error.now} />. Nothing is deleted yet.
        </p>
      )}
    </Confirm>
  )
}
