/** Signing in, with an e-mail address and a password, or with an API key. It never says which of the two was wrong. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { leaveFor } from '../../data/session.ts'
import { type Credential, preflightQuery, useSignIn } from '../../data/signing-in.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Tabs } from '../../kit/layout/tabs.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { signInSearch } from './sign-in.search.ts'

const WAYS = [
  ['password', 'Password'],
  ['key', 'API key'],
] as const

export function SignInScreen() {
  const [{ next, with: way }, change] = useSearchState(signInSearch)
  const signIn = useSignIn()
  const preflight = useQuery(preflightQuery)
  const enter = (credential: Credential) => signIn.mutate(credential, { onSuccess: () => leaveFor(next) })
  const Form = way === 'key' ? KeyForm : PasswordForm
  return (
    <Stack>
      <h1>Sign in</h1>
      {preflight.data?.initiated === false && <NotInitiated />}
      <Tabs
        label="Sign in with"
        tabs={WAYS}
        current={way}
        onChoose={(chosen) => {
          signIn.reset()
          change({ with: chosen }, { replace: true })
        }}
      >
        <Form busy={signIn.isPending} onEnter={enter} />
      </Tabs>
      {signIn.error && <Problem error={signIn.error} />}
      {preflight.data?.email_service_available === true && way === 'password' && (
        <p>
          <Link to="/reset">I have forgotten my password</Link>
        </p>
      )}
    </Stack>
  )
}

interface FormProps {
  busy: boolean
  onEnter: (credential: Credential) => void
}

function PasswordForm({ busy, onEnter }: FormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onEnter({ email, password })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onText={setEmail}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onText={setPassword}
        />
        <Button kind="main" type="submit" busy={busy}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function KeyForm({ busy, onEnter }: FormProps) {
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onEnter({ personal_api_key: key.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextField
          label="Personal API key"
          type="password"
          name="personal_api_key"
          autoComplete="off"
          placeholder="phx_…"
          required
          value={key}
          onText={setKey}
          hint="You may then do what the key may do, for as long as it exists."
        />
        <Button kind="main" type="submit" busy={busy}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function NotInitiated() {
  return (
    <Notice>
      Nobody has a password yet. The server has printed a link at its start, or written it to <code>setup-link</code> in
      its data folder; <code>hedgerow users link EMAIL</code> makes another one. An API key works as well.
    </Notice>
  )
}
