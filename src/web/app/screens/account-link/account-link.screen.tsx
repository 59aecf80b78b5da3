/**
 * A link for somebody: set-up, or a lost password. Its token stands behind `#`, where no server or proxy
 * sees it, and goes to the server in a body.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { leaveFor } from '../../data/session.ts'
import { type AccountLink, linkQuery, useUseLink } from '../../data/signing-in.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { lengthInWords, lengthOf, SHORTEST } from './password-strength.ts'

const TITLES: Record<AccountLink['purpose'], string> = {
  setup: 'Set up Hedgerow',
  reset: 'Choose a new password',
}

export function AccountLinkScreen() {
  const token = useRouterState({ select: ({ location }) => location.hash })
  const link = useQuery(linkQuery(token))
  if (token === '') return <NoToken />
  if (link.error) return <Dead error={link.error} />
  if (!link.data) return <Skeleton lines={5} />
  return <Choosing token={token} link={link.data} />
}

function Choosing({ token, link }: { token: string; link: AccountLink }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const use = useUseLink()
  const { purpose, target_email: email, organization_name: organization } = link
  const isNew = purpose !== 'reset'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { token, password, ...(isNew && name !== '' ? { first_name: name } : {}) }
    use.mutate(body, { onSuccess: () => leaveFor('/') })
  }
  const rest = problemBeside(use.error, ['first_name', 'password'])
  return (
    <form onSubmit={submit}>
      <Stack>
        <h1>{TITLES[purpose]}</h1>
        <p>
          For <strong>{email}</strong>
          {organization !== null && organization !== undefined && <> in {organization}</>}.
        </p>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {isNew && (
          <TextField
            label="Your name"
            name="first_name"
            autoComplete="given-name"
            hint="As your colleagues see it; may be left empty."
            value={name}
            onText={setName}
            problem={problemAt(use.error, 'first_name')}
          />
        )}
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          onText={setPassword}
          hint={lengthInWords(password)}
          problem={problemAt(use.error, 'password')}
        />
        <meter max={SHORTEST} value={Math.min(lengthOf(password), SHORTEST)} aria-label="Length of the password" />
        <Button kind="main" type="submit" busy={use.isPending} disabled={lengthOf(password) < SHORTEST}>
          {isNew ? 'Go on' : 'Change the password'}
        </Button>
        {rest !== null && <Problem error={rest} />}
      </Stack>
    </form>
  )
}

function NoToken() {
  return (
    <Stack>
      <h1>A link is needed</h1>
      <p>
        This page is opened by a link with a secret at its end. For the first user the server prints one at its start,
        or writes it to <code>setup-link</code> in its data folder.
      </p>
      <p>
        <code>hedgerow users link EMAIL</code> makes one for any user, at any time.
      </p>
      <p>
        <Link to="/login">Sign in</Link>
      </p>
    </Stack>
  )
}

function Dead({ error }: { error: unknown }) {
  return (
    <Stack>
      <h1>This link does not work</h1>
      <Problem error={error} />
      <Notice>
        Links work once, and for a while only. <code>hedgerow users link EMAIL</code> makes a new one; whoever has
        invited you can do so too.
      </Notice>
      <p>
        <Link to="/login">Sign in</Link>
      </p>
    </Stack>
  )
}
