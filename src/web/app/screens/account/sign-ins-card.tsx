/** Where one is signed in, and ending it there. */
import { useQuery } from '@tanstack/react-query'
import { type SignIn, signInsQuery, useRevokeOthers, useRevokeSignIn } from '../../data/account.ts'
import { Button } from '../../kit/form/button.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { type Column, Table } from '../../kit/layout/table.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { browserInWords } from './browser-words.ts'

const WAYS = { password: 'password', link: 'link', key: 'API key' }

export function SignInsCard() {
  const signIns = useQuery(signInsQuery)
  const revoke = useRevokeSignIn()
  const others = useRevokeOthers()
  const error = signIns.error ?? revoke.error ?? others.error
  const hasOthers = (signIns.data ?? []).some(({ is_current }) => !is_current)
  return (
    <Card
      title="Where you are signed in"
      flush={signIns.data !== undefined}
      actions={
        <Button busy={others.isPending} disabled={!hasOthers} onClick={() => others.mutate(undefined)}>
          Sign out everywhere else
        </Button>
      }
    >
      {error !== null && <Problem error={error} onRetry={() => signIns.refetch()} />}
      {signIns.isPending && <Skeleton lines={3} />}
      {signIns.data && (
        <Table
          caption="Where you are signed in"
          columns={columnsFor((id) => revoke.mutate(id))}
          rows={currentFirst(signIns.data)}
          keyOf={({ id }) => id}
        />
      )}
    </Card>
  )
}

const currentFirst = (signIns: SignIn[]): SignIn[] =>
  signIns.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

const columnsFor = (onRevoke: (id: string) => void): Column<SignIn>[] => [
  {
    name: 'Browser',
    cell: ({ user_agent, is_current }) => (
      <>
        <strong>{browserInWords(user_agent)}</strong>
        {is_current && <span> (this one)</span>}
      </>
    ),
  },
  { name: 'Address', cell: ({ ip }) => ip ?? 'unknown' },
  { name: 'By', cell: ({ via }) => WAYS[via] },
  { name: 'Since', cell: ({ created_at }) => <Moment at={created_at} /> },
  { name: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
  {
    name: 'Actions',
    end: true,
    bare: true,
    cell: ({ id, is_current }) =>
      !is_current && (
        <Button small onClick={() => onRevoke(id)}>
          Sign out there
        </Button>
      ),
  },
]
