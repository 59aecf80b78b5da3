/** What two persons become: how much they have, and which properties they do not agree on. */
import { useQuery } from '@tanstack/react-query'
import { mergePreviewQuery, type MergePreview as Preview } from '../../../data/people/merge.ts'
import type { PersonRow } from '../../../data/people/people.ts'
import type { Person } from '../../../data/people/person.ts'
import { ApiProblem } from '../../../data/requests/api-problem.ts'
import { useProject } from '../../../data/session.ts'
import { Table } from '../../../kit/layout/table.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import { JsonValue } from '../../../kit/text/json-value.tsx'
import { Count } from '../../../kit/text/number.tsx'
import styles from './identity.module.css'

interface MergePreviewProps {
  person: Person
  other: PersonRow
}

/** The most that are told one by one. */
const FEW = 100

export function MergePreview({ person, other }: MergePreviewProps) {
  const { id } = useProject()
  const { data, error, refetch } = useQuery(mergePreviewQuery(id, person.uuid, other.uuid))
  if (error) return <MergeProblem error={error} other={other} onRetry={() => refetch()} />
  if (!data) return <Skeleton lines={4} />
  return (
    <section aria-label="What becomes of them">
      <Amounts person={person} preview={data} />
      <Differing person={person} preview={data} />
    </section>
  )
}

interface MergeProblemProps {
  error: unknown
  other: PersonRow
  onRetry?: () => void
}

/** Of both, the person is looked at and would be told as gone by the screen itself. */
export function MergeProblem({ error, other, onRetry }: MergeProblemProps) {
  const isGone = error instanceof ApiProblem && error.status === 404
  if (!isGone) return <Problem error={error} onRetry={onRetry} />
  return <Notice kind="bad">{other.name} is no longer there.</Notice>
}

interface PartProps {
  person: Person
  preview: Preview
}

function Amounts({ person, preview: { merged, events, recordings } }: PartProps) {
  const rows = [
    { name: 'Ids', mine: person.distinct_ids.length, theirs: merged.distinct_ids.length },
    ...(events ? [{ name: 'Events', mine: events.person, theirs: events.other }] : []),
    ...(recordings ? [{ name: 'Recordings', mine: recordings.person, theirs: recordings.other }] : []),
  ]
  return (
    <Table
      caption="How much each has"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { name: 'What', bare: true, cell: ({ name }) => name },
        { name: person.name, end: true, cell: ({ mine }) => <Count value={mine} /> },
        { name: `${merged.name}, who goes`, end: true, cell: ({ theirs }) => <Count value={theirs} /> },
        { name: 'Together', end: true, cell: ({ mine, theirs }) => <Count value={mine + theirs} /> },
      ]}
    />
  )
}

function Differing({ person, preview: { merged, properties } }: PartProps) {
  const added = Object.keys(properties.added).length
  const { differing } = properties
  return (
    <>
      <p className={styles.words}>
        {added === 0 ? 'No property is added.' : `${added} ${added === 1 ? 'property is' : 'properties are'} added.`}{' '}
        {differing.length === 0
          ? 'Both agree on all that they have in common.'
          : `${differing.length} ${differing.length === 1 ? 'differs' : 'differ'}: the value on the left stays.`}
      </p>
      {differing.length > 0 && (
        <Table
          caption="Properties that differ"
          rows={differing.slice(0, FEW)}
          keyOf={({ key }) => key}
          columns={[
            { name: 'Property', cell: ({ key }) => key },
            { name: `${person.name}: stays`, cell: ({ person: value }) => <JsonValue value={value} /> },
            { name: `${merged.name}: goes`, cell: ({ other: value }) => <JsonValue value={value} /> },
          ]}
        />
      )}
      {differing.length > FEW && <p>And {differing.length - FEW} more.</p>}
    </>
  )
}
