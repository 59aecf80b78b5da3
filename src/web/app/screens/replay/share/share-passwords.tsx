/** The passwords of a share, each with what it is for. A new one is shown once. */
import { type RefObject, useRef, useState } from 'react'
import type { Recording } from '../../../data/recordings/recordings.ts'
import { type Sharing, useAddPassword, useRemovePassword } from '../../../data/recordings/sharing.ts'
import { useProject } from '../../../data/session.ts'
import { Button } from '../../../kit/form/button.tsx'
import { TextField } from '../../../kit/form/field.tsx'
import { Stack } from '../../../kit/layout/card.tsx'
import { Table } from '../../../kit/layout/table.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { CopyValue } from '../../../kit/text/code.tsx'
import { Moment } from '../../../kit/text/moment.tsx'

interface SharePasswordsProps {
  recording: Recording
  passwords: Sharing['share_passwords']
  mayWrite: boolean
}

export function SharePasswords({ recording, passwords, mayWrite }: SharePasswordsProps) {
  const { id, timezone } = useProject()
  const remove = useRemovePassword(id, recording.id)
  const field = useRef<HTMLInputElement>(null)
  const reason = mayWrite ? undefined : 'You may only look at it'
  return (
    <Stack wide>
      {passwords.length === 0 ? (
        <Notice kind="warn">There is no password yet: nobody can watch it.</Notice>
      ) : (
        <Table
          caption="Passwords"
          rows={passwords}
          keyOf={({ id: password }) => String(password)}
          columns={[
            { name: 'For', cell: ({ note }) => note ?? 'no note' },
            { name: 'Made', cell: ({ created_at }) => <Moment at={created_at} zone={timezone} /> },
            { name: 'By', cell: ({ created_by_email }) => created_by_email },
            {
              name: 'Remove',
              end: true,
              bare: true,
              cell: ({ id: password, note }) => (
                <Button
                  small
                  reason={reason}
                  busy={remove.isPending && remove.variables === password}
                  aria-label={`Remove the password for ${note ?? 'no note'}`}
                  // The button goes with its row, and would take the focus along.
                  onClick={() => remove.mutate(password, { onSuccess: () => field.current?.focus() })}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      )}
      {remove.error && <Problem error={remove.error} />}
      {mayWrite && <NewPassword recording={recording} field={field} />}
    </Stack>
  )
}

interface NewPasswordProps {
  recording: Recording
  /** The first one. */
  field: RefObject<HTMLInputElement | null>
}

function NewPassword({ recording, field }: NewPasswordProps) {
  const { id } = useProject()
  const add = useAddPassword(id, recording.id)
  const [note, setNote] = useState('')
  const [password, setPassword] = useState('')
  const submit = () =>
    add.mutate(
      { raw_password: password || null, note: note.trim() || null },
      {
        onSuccess: () => {
          setNote('')
          setPassword('')
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack>
        {add.data?.password != null && (
          <Notice>
            Copy it now, it is not shown again: <CopyValue text={add.data.password} />
          </Notice>
        )}
        <TextField ref={field} label="Who it is for" value={note} maxLength={100} onText={setNote} />
        <TextField
          label="Password"
          hint="At least 8 characters; left empty, one is made up."
          autoComplete="off"
          value={password}
          onText={setPassword}
        />
        <Button type="submit" busy={add.isPending}>
          Add the password
        </Button>
        {add.error && <Problem error={add.error} />}
      </Stack>
    </form>
  )
}
