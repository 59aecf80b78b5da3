/** The project's name and zone, by which properties people are named, and the token that SDKs send. */
import { useState } from 'react'
import { mayUse } from '../../data/boot.ts'
import { useResetToken } from '../../data/projects.ts'
import { leaveFor, projectPath, useProject } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { SelectField, TextField } from '../../kit/form/field.tsx'
import { ListField } from '../../kit/form/list-field.tsx'
import { SaveRow } from '../../kit/form/unsaved.tsx'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { CopyValue } from '../../kit/text/code.tsx'
import { reasonOf, useSettings } from './use-settings.ts'

const FIELDS = ['name', 'timezone', 'person_display_name_properties'] as const

/** All that this browser knows, and the one that is set. */
const zonesWith = (zone: string) =>
  [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].map((id) => [id, id.replaceAll('_', ' ')] as const)

export function GeneralScreen() {
  const { draft, submit, disabled, saving, problemOf, otherProblem } = useSettings(FIELDS)
  const { name, timezone, person_display_name_properties: named } = draft.value
  return (
    <>
      <Card title="Project">
        <form onSubmit={submit}>
          <Stack>
            <TextField
              label="Name"
              required
              maxLength={200}
              dir="auto"
              disabled={disabled}
              value={name}
              onText={(text) => draft.set({ name: text })}
              problem={problemOf('name')}
            />
            <SelectField
              label="Time zone"
              choices={zonesWith(timezone)}
              disabled={disabled}
              value={timezone}
              onText={(zone) => draft.set({ timezone: zone })}
              problem={problemOf('timezone')}
              hint="Days, weeks and months of insights begin by this clock. A change applies to past days too; events stay as they are."
            />
            <ListField
              label="People are named by"
              hint="The first of these properties that a person has. Without any: email, then name, then username."
              placeholder="Name of a property"
              disabled={disabled}
              items={named ?? []}
              onItems={(items) => draft.set({ person_display_name_properties: items.length > 0 ? items : null })}
              problem={problemOf('person_display_name_properties')}
            />
            {otherProblem !== null && <Problem error={otherProblem} />}
            <SaveRow {...saving} />
          </Stack>
        </form>
      </Card>
      <Token />
    </>
  )
}

function Token() {
  const { project } = useSettings([])
  const { id, scopes } = useProject()
  const [isAsked, setAsked] = useState(false)
  const reset = useResetToken(id)
  return (
    <Card
      title="Project token"
      about="SDKs send it with every event. It is public: whoever has it can send events, and read nothing."
      actions={
        <Button kind="danger" reason={reasonOf(mayUse(scopes, 'project:write'))} onClick={() => setAsked(true)}>
          Reset the token
        </Button>
      }
    >
      <CopyValue text={project.api_token} />
      {isAsked && (
        <Confirm
          title="Reset the token?"
          action="Reset it now"
          busy={reset.isPending}
          error={reset.error}
          onClose={() => setAsked(false)}
          onConfirm={() =>
            reset.mutate(undefined, { onSuccess: () => leaveFor(projectPath({ id }, '/settings/project')) })
          }
        >
          <p>Every page and program that sends the old token is refused from now on, until it sends the new one.</p>
        </Confirm>
      )}
    </Card>
  )
}
