/** Asks who has been signed in for a while for their password, or their key, before something that matters. */
import { type FormEvent, useState } from 'react'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { type Proof, wantedProof } from '../../data/requests/proof.ts'
import { boot } from '../../data/session.ts'
import { useSignIn } from '../../data/signing-in.ts'
import { useStore } from '../../data/store.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Problem } from '../../kit/state/problem.tsx'

export function ProofDialog() {
  const proof = useStore(wantedProof)
  return proof && <Asking proof={proof} />
}

const FORM = 'proof'

function Asking({ proof }: { proof: Proof }) {
  const [secret, setSecret] = useState('')
  const signIn = useSignIn()
  const { user, via } = boot.signed_in ?? { user: { email: '' }, via: 'password' }
  const byKey = via === 'key'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const credential = byKey ? { personal_api_key: secret } : { email: user.email, password: secret }
    signIn.mutate(credential, { onSuccess: () => proof.done(true) })
  }
  const attr = byKey ? 'personal_api_key' : 'password'
  const rest = problemBeside(signIn.error, [attr])
  return (
    <Dialog
      title="Confirm that it is you"
      keep
      onClose={() => proof.done(false)}
      actions={
        <>
          <Button onClick={() => proof.done(false)}>Cancel</Button>
          <Button kind="main" type="submit" form={FORM} busy={signIn.isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit}>
        <Stack>
          <p>You signed in more than an hour ago. Enter your {byKey ? 'API key' : 'password'} again for this.</p>
          {!byKey && <input type="email" autoComplete="username" value={user.email} readOnly hidden />}
          <TextField
            label={byKey ? 'API key' : 'Password'}
            type="password"
            autoComplete={byKey ? 'off' : 'current-password'}
            required
            value={secret}
            onText={setSecret}
            problem={problemAt(signIn.error, attr)}
          />
          {rest !== null && <Problem error={rest} />}
        </Stack>
      </form>
    </Dialog>
  )
}
