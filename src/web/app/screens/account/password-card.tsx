/** Changing one's password. */
import { type FormEvent, useState } from 'react'
import { useChangePassword } from '../../data/account.ts'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Card, Row, Stack } from '../../kit/layout/card.tsx'
import { useTell } from '../../kit/overlay/toasts.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'

const SHORTEST = 12

interface PasswordCardProps {
  via: 'password' | 'key'
  email: string
}

export function PasswordCard({ via, email }: PasswordCardProps) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useChangePassword()
  const tell = useTell()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { password: next, current_password: current }
    change.mutate(body, {
      onSuccess: () => {
        setCurrent('')
        setNext('')
        tell('The password is changed')
      },
    })
  }
  const rest = problemBeside(change.error, ['password', 'current_password'])
  if (via === 'key')
    return (
      <Card title="Password">
        <Notice>You signed in with an API key. To change the password, sign in with it, or by a link.</Notice>
      </Card>
    )
  return (
    <Card title="Password" about="Changing it signs you out everywhere else.">
      <form onSubmit={submit}>
        <Stack>
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onText={setCurrent}
            problem={problemAt(change.error, 'current_password')}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            minLength={SHORTEST}
            value={next}
            onText={setNext}
            hint={`At least ${SHORTEST} characters.`}
            problem={problemAt(change.error, 'password')}
          />
          {rest !== null && <Problem error={rest} />}
          <Row>
            <Button kind="main" type="submit" busy={change.isPending} disabled={next === ''}>
              Change the password
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  )
}
