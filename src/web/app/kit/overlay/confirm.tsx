/** Asks before something that cannot be undone. Where there is no way back, the name has to be typed. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../form/button.tsx'
import { TextField } from '../form/field.tsx'
import { Stack } from '../layout/card.tsx'
import { Problem } from '../state/problem.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  title: string
  /** What the button says. */
  action: string
  children: ReactNode
  /** What has to be typed first. */
  typed?: string
  /** Why it cannot be done; undefined: it can. */
  reason?: string | undefined
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

export function Confirm({ title, action, children, typed, reason, busy, error, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onConfirm()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            type="submit"
            form={form}
            busy={busy}
            reason={reason}
            disabled={typed !== undefined && text !== typed}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Stack>
          {children}
          {typed !== undefined && (
            <TextField label={`Type “${typed}” to go on`} autoComplete="off" value={text} onText={setText} />
          )}
          {error != null && <Problem error={error} />}
        </Stack>
      </form>
    </Dialog>
  )
}
