/**
 * A link for somebody: set-up, or a lost password. Its token stands behind `#`, where no server or proxy
 * sees it, and goes to the server in a body.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiProblem, problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { leaveFor } from '../../data/session.ts'
import { type AccountLink, linkQuery, preflightQuery, useUseLink } from '../../data/signing-in.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import styles from './account-link.module.css'
import { lengthInWords, lengthOf, SHORTEST } from './password-strength.ts'

const TITLES: Record<AccountLink['purpose'], string> = {
  setup: 'Set up Hedgerow',
  reset: 'Choose a new password',
}

export function AccountLinkScreen() {
  const token = useRouterState({ select: ({ location }) => location.hash })
  const link = useQuery(linkQuery(token))
  if (token === '') return <NoToken />
  if (link.error) return <Dead error={link.error} onRetry={() => link.refetch()} />
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
        <p className={styles.whom}>
          <strong>{email}</strong>
          {organization !== null && <span>{organization}</span>}
        </p>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {isNew && (
          <TextField
            label="Your name"
            name="first_name"
            autoComplete="given-name"
            autoFocus
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
          autoFocus={!isNew}
          value={password}
          onText={setPassword}
          hint={
            <>
              <meter max={SHORTEST} value={Math.min(lengthOf(password), SHORTEST)} aria-label="Length" />
              <span>{lengthInWords(password)}</span>
            </>
          }
          problem={problemAt(use.error, 'password')}
        />
        <Button kind="main" type="submit" busy={use.isPending} disabled={lengthOf(password) < SHORTEST}>
          {isNew ? 'Set the password' : 'Change the password'}
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

const DEAD: Partial<Record<string, string>> = {
  link_used: 'This link was used before',
  link_expired: 'This link has expired',
  link_unknown: 'This link is not valid',
}

/** The server's own words, which tell the same, are for programs. */
function Dead({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { data: preflight } = useQuery(preflightQuery)
  const title = error instanceof ApiProblem ? DEAD[error.code] : undefined
  if (title === undefined)
    return (
      <Stack>
        <h1>The link could not be read</h1>
        <Problem error={error} onRetry={onRetry} />
      </Stack>
    )
  return (
    <Stack>
      <h1>{title}</h1>
      <p>
        Links work once, for a day. Where the server runs, <code>hedgerow users link EMAIL</code> prints a new one.
      </p>
      {preflight?.email_service_available === true && (
        <p>
          <Link to="/reset">Have a new one sent by mail</Link>
        </p>
      )}
      <p>
        <Link to="/login">Sign in</Link> with the password or key that you have
      </p>
    </Stack>
  )
}
