/** The keys of the user: what each may do and when it was used last; making, rolling and deleting them. */
import { PlusIcon } from '@radix-ui/react-icons'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Key, keysQuery, useRemoveKey, useRollKey } from '../../data/keys.ts'
import { boot } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Button } from '../../kit/form/button.tsx'
import { Card, Row } from '../../kit/layout/card.tsx'
import { type Column, Table } from '../../kit/layout/table.tsx'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { useTell } from '../../kit/overlay/toasts.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import styles from './keys.module.css'
import { keysSearch } from './keys.search.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { scopesInWords } from './scopes.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Asked = { what: 'roll' | 'delete'; key: Key }

export function KeysScreen() {
  const { data: keys } = useSuspenseQuery(keysQuery)
  const [{ do: doing, preset }, change] = useSearchState(keysSearch)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [made, setMade] = useState<Key | null>(null)
  const add = (
    <Button kind="main" icon={<PlusIcon />} onClick={() => change({ do: 'new' })}>
      New key
    </Button>
  )
  return (
    <>
      <Card
        title="Personal API keys"
        about="For programs that use the API in your name, never with more rights than you have. A secret is shown once."
        actions={keys.length > 0 ? add : undefined}
        flush
      >
        {keys.length === 0 ? (
          <Empty title="There is no key yet" actions={add}>
            With one, everything that you see here can be had by a program.
          </Empty>
        ) : (
          <Table caption="Personal API keys" columns={columnsFor(setAsked)} rows={keys} keyOf={({ id }) => id} />
        )}
      </Card>
      {doing === 'new' && (
        <NewKeyDialog
          preset={preset}
          onPreset={(chosen) => change({ preset: chosen }, { replace: true })}
          onClose={() => change({ do: 'list', preset: 'read' })}
          onMade={(key) => {
            change({ do: 'list', preset: 'read' })
            setMade(key)
          }}
        />
      )}
      {asked && <Asking asked={asked} onClose={() => setAsked(null)} onRolled={setMade} />}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}

/** Those that are not in the page are told by their ids. */
const projectNames = (ids: readonly number[]): string =>
  ids.map((id) => boot.signed_in?.projects.find((project) => project.id === id)?.name ?? `project ${id}`).join(', ')

const columnsFor = (ask: (asked: Asked) => void): Column<Key>[] => [
  { name: 'Name', cell: ({ label }) => <strong>{label}</strong> },
  { name: 'Key', cell: ({ mask_value }) => <code>{mask_value}</code> },
  { name: 'Access', cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopesInWords(scopes)}</span> },
  {
    name: 'Projects',
    cell: ({ scoped_teams }) =>
      scoped_teams.length === 0 ? 'all' : <span className={styles.where}>{projectNames(scoped_teams)}</span>,
  },
  { name: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
  { name: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} /> },
  {
    name: 'Actions',
    end: true,
    bare: true,
    cell: (key) => (
      <Row>
        <Button small aria-label={`Roll ${key.label}`} onClick={() => ask({ what: 'roll', key })}>
          Roll
        </Button>
        <Button small kind="danger" aria-label={`Delete ${key.label}`} onClick={() => ask({ what: 'delete', key })}>
          Delete
        </Button>
      </Row>
    ),
  },
]

interface AskingProps {
  asked: Asked
  onClose: () => void
  onRolled: (key: Key) => void
}

function Asking({ asked: { what, key }, onClose, onRolled }: AskingProps) {
  const roll = useRollKey()
  const remove = useRemoveKey()
  const tell = useTell()
  if (what === 'roll')
    return (
      <Confirm
        title={`Roll “${key.label}”?`}
        action="Roll the key"
        busy={roll.isPending}
        error={roll.error}
        onClose={onClose}
        onConfirm={() =>
          roll.mutate(key.id, {
            onSuccess: (rolled) => {
              onClose()
              onRolled(rolled)
            },
          })
        }
      >
        <p>It gets a new secret. The old one no longer works, and whoever signed in with it is signed out.</p>
      </Confirm>
    )
  return (
    <Confirm
      title={`Delete “${key.label}”?`}
      action="Delete the key"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(key.id, {
          onSuccess: () => {
            onClose()
            tell(`“${key.label}” is deleted`)
          },
        })
      }
    >
      <p>Programs that use it are refused within a second, and whoever signed in with it is signed out.</p>
    </Confirm>
  )
}
