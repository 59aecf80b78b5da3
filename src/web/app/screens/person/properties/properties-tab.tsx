/** What is known of a person: every property, to be searched, changed and deleted; and since when it is so. */
import { PlusIcon } from '@radix-ui/react-icons'
import { lazyRouteComponent } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { mayUse } from '../../../data/boot.ts'
import type { Person } from '../../../data/people/person.ts'
import { useProject } from '../../../data/session.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { Button } from '../../../kit/form/button.tsx'
import { SearchField } from '../../../kit/form/search-field.tsx'
import { type ListColumn, ListTable } from '../../../kit/list/list-table.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import { JsonValue, jsonText } from '../../../kit/text/json-value.tsx'
import styles from '../person.module.css'
import { personSearch } from '../person.search.ts'
import { type Draft, draftOf, type Property } from './draft.ts'
import { inOrder } from './property-order.ts'
import { useSaving } from './use-saving.ts'

/** Loaded when they are wanted. */
const PropertyEditor = lazy(() => import('./property-editor.tsx').then((file) => ({ default: file.PropertyEditor })))
const DeleteProperty = lazy(() => import('./delete-property.tsx').then((file) => ({ default: file.DeleteProperty })))
/** Before it is wanted, when somebody comes near: then it asks for what it tells. */
const PropertySince = lazyRouteComponent(() => import('./property-since.tsx'), 'PropertySince')
const comeNear = () => void PropertySince.preload?.()

const propertiesOf = ({ properties }: Person): Property[] =>
  inOrder(Object.keys(properties)).map((key) => ({ key, value: properties[key] }))

function matching(all: Property[], text: string): Property[] {
  const part = text.toLowerCase()
  if (part === '') return all
  return all.filter(({ key, value }) => `${key}\n${jsonText(value)}`.toLowerCase().includes(part))
}

type Doing = { what: 'since' | 'delete'; property: Property } | null

export function PropertiesTab({ person }: { person: Person }) {
  const { scopes } = useProject()
  const [{ q }, change] = useSearchState(personSearch)
  const [doing, setDoing] = useState<Doing>(null)
  const saving = useSaving(person)
  const { draft } = saving
  const all = useMemo(() => propertiesOf(person), [person])
  const found = useMemo(() => matching(all, q), [all, q])
  const mayWrite = mayUse(scopes, 'person:write')
  const editor = draft && (
    <Suspense fallback={<Skeleton lines={3} />}>
      <PropertyEditor draft={draft} saving={saving} />
    </Suspense>
  )
  /** In its row, unless it has none: it is new, or was deleted meanwhile, or the search leaves it out. */
  const isInRow = draft !== null && !draft.isNew && found.some(({ key }) => key === draft.key)
  return (
    <section className={styles.panel} aria-label="Properties">
      <div className={styles.tools}>
        <SearchField label="Search properties" value={q} onText={(text) => change({ q: text }, { replace: true })} />
        <Button
          icon={<PlusIcon />}
          reason={mayWrite ? undefined : 'Needs the scope person:write'}
          onClick={() => saving.open(draftOf(null))}
        >
          Add property
        </Button>
      </div>
      {editor && !isInRow && <div className={styles.adding}>{editor}</div>}
      {found.length === 0 ? (
        <NoneFound q={q} onClear={() => change({ q: '' })} />
      ) : (
        <Listed
          person={person}
          found={found}
          {...{ doing, draft, editor, mayWrite }}
          onDo={setDoing}
          onDraft={saving.open}
        />
      )}
      <Suspense>
        {doing?.what === 'delete' && (
          <DeleteProperty person={person} property={doing.property} onClose={() => setDoing(null)} />
        )}
      </Suspense>
    </section>
  )
}

function NoneFound({ q, onClear }: { q: string; onClear: () => void }) {
  if (q === '')
    return <Empty title="Nothing is known yet">Properties come with events, by $set, or are added here.</Empty>
  return (
    <Empty title="No property matches" actions={<Button onClick={onClear}>Drop the search “{q}”</Button>}>
      Neither a name nor a value has this text in it.
    </Empty>
  )
}

interface ListedProps {
  person: Person
  found: Property[]
  doing: Doing
  draft: Draft | null
  /** For the row of the draft. */
  editor: ReactNode
  mayWrite: boolean
  onDo: (doing: Doing) => void
  onDraft: (draft: Draft) => void
}

/** In rem; cards have the name and the value above the buttons. */
const HEIGHTS = [2.75, 6] as const

function Listed({ person, found, doing, draft, editor, mayWrite, onDo, onDraft }: ListedProps) {
  const columns = useMemo(() => columnsFor(mayWrite, onDo, onDraft), [mayWrite, onDo, onDraft])
  const below = ({ key }: Property) => {
    if (draft && !draft.isNew && draft.key === key) return editor
    if (doing?.what !== 'since' || doing.property.key !== key) return null
    return (
      <Suspense fallback={<p className={styles.since}>Looking through the history…</p>}>
        <PropertySince person={person} name={key} />
      </Suspense>
    )
  }
  return (
    <ListTable
      label="Properties"
      columns={columns}
      count={found.length}
      rowAt={(index) => found[index]}
      keyOf={(index) => found[index]?.key ?? index}
      rowHeight={HEIGHTS}
      measured
      below={below}
    />
  )
}

const columnsFor = (
  mayWrite: boolean,
  onDo: ListedProps['onDo'],
  onDraft: ListedProps['onDraft'],
): ListColumn<Property>[] => [
  {
    name: 'Property',
    track: 'minmax(8rem, 1fr)',
    card: 'title',
    cell: ({ key }) => <code className={styles.key}>{key}</code>,
  },
  {
    name: 'Value',
    track: 'minmax(0, 2fr)',
    cell: ({ value }) => (
      <div className={styles.value} dir="auto">
        <JsonValue value={value} />
      </div>
    ),
  },
  {
    name: 'Actions',
    track: '12.5rem',
    bare: true,
    cell: (property) => (
      <div className={styles.rowActions}>
        <Button
          small
          kind="quiet"
          aria-label={`Since when: ${property.key}`}
          onPointerEnter={comeNear}
          onFocus={comeNear}
          onClick={() => onDo({ what: 'since', property })}
        >
          Since
        </Button>
        <Button
          small
          kind="quiet"
          aria-label={`Edit ${property.key}`}
          disabled={!mayWrite}
          onClick={() => onDraft(draftOf(property))}
        >
          Edit
        </Button>
        <Button
          small
          kind="quiet"
          aria-label={`Delete ${property.key}`}
          disabled={!mayWrite}
          onClick={() => onDo({ what: 'delete', property })}
        >
          Delete
        </Button>
      </div>
    ),
  },
]
