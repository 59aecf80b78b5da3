/** A forgotten password: a link to this page is sent by mail, with a token at its end. Whether the address is known is not said. */
import { Link, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useAskForReset } from '../../data/signing-in.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { AccountLinkScreen } from './account-link.screen.tsx'

export function ResetScreen() {
  const hasToken = useRouterState({ select: ({ location }) => location.hash !== '' })
  return hasToken ? <AccountLinkScreen /> : <Asking />
}

function Asking() {
  const [email, setEmail] = useState('')
  const ask = useAskForReset()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(email)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <h1>A new password</h1>
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onText={setEmail}
          hint="If a user has this address, a link is sent to it. Without a mail server, “hedgerow users link EMAIL” prints one."
        />
        <Button kind="main" type="submit" busy={ask.isPending}>
          Send the link
        </Button>
        {ask.isSuccess && <Notice kind="good">If a user has this address, the link is on its way.</Notice>}
        {ask.error && <Problem error={ask.error} />}
        <p>
          <Link to="/login">Back to signing in</Link>
        </p>
      </Stack>
    </form>
  )
}
