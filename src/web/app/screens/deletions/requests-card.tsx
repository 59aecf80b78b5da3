/** Every request, newest first, narrowed by state and person. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { csvAddress } from '../../data/address/csv.ts'
import type { BootProject } from '../../data/boot.ts'
import { DELETIONS_PER_PAGE, type Deletion } from '../../data/deletions.ts'
import { useExportKey, useKeys } from '../../data/keyboard.ts'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { useSearchState } from '../../data/use-search.ts'
import { CsvLink } from '../../kit/form/csv-link.tsx'
import { SelectField } from '../../kit/form/field.tsx'
import { FilterRow, TextFilter } from '../../kit/form/text-filter.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { CountedPager } from '../../kit/layout/pager.tsx'
import { Table } from '../../kit/layout/table.tsx'
import type { ListHandle } from '../../kit/list/list-table.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import { Empty } from '../../kit/state/empty.tsx'
import { NothingMatches } from '../../kit/state/nothing-matches.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { useNow } from '../../kit/text/use-now.ts'
import { deletionColumns, keyOfDeletion } from './deletion-columns.tsx'
import { deletionsSearch, type STATUSES } from './deletions.search.ts'

type Status = (typeof STATUSES)[number]

const STATUS_NAMES: readonly (readonly [Status, string])[] = [
  ['all', 'All'],
  ['pending', 'Waiting'],
  ['completed', 'Done'],
]

interface RequestsCardProps {
  project: BootProject
  requests: UseQueryResult<{ count: number; results: Deletion[] }>
}

export function RequestsCard({ project, requests }: RequestsCardProps) {
  const [{ status, person_uuid }, change] = useSearchState(deletionsSearch)
  const rest = problemBeside(requests.error, ['person_uuid'])
  useExportKey()
  const href = csvAddress(project.id, 'persons/deletion_status/', { status, person_uuid })
  return (
    <Card
      title="Requests"
      about="Each is of one person. What was captured before it was asked goes; what came later stays."
      actions={<CsvLink href={href} />}
      flush
    >
      <FilterRow>
        <SelectField
          label="State"
          choices={STATUS_NAMES}
          value={status}
          onText={(chosen) => change({ status: chosen as Status, offset: 0 })}
        />
        <TextFilter
          label="Person"
          placeholder="UUID of a person"
          value={person_uuid}
          problem={problemAt(requests.error, 'person_uuid')}
          onCommit={(uuid) => change({ person_uuid: uuid, offset: 0 })}
        />
      </FilterRow>
      {rest != null && <Problem error={rest} onRetry={() => requests.refetch()} />}
      {requests.isPending && <Skeleton lines={6} />}
      {requests.data && !requests.error && <Rows project={project} page={requests.data} />}
    </Card>
  )
}

function Rows({ project, page }: { project: BootProject; page: { count: number; results: Deletion[] } }) {
  const [{ status, person_uuid, offset }, change] = useSearchState(deletionsSearch)
  const now = useNow(10_000)
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const filters = [
    ...(status === 'all'
      ? []
      : [{ words: status === 'pending' ? 'waiting' : 'done', drop: () => change({ status: 'all' }) }]),
    ...(person_uuid === '' ? [] : [{ words: `person ${person_uuid}`, drop: () => change({ person_uuid: '' }) }]),
  ]
  if (page.count === 0 && filters.length > 0) return <NothingMatches what="request" filters={filters} />
  if (page.count === 0)
    return (
      <Empty title="Nothing was asked to be deleted">
        Deleting a person with their events puts a request here, by <code>DELETE persons/…/?delete_events=true</code>
      </Empty>
    )
  const onPerson = (uuid: string) => change({ person_uuid: uuid, offset: 0 })
  return (
    <>
      <Table
        caption="Requests to delete events"
        columns={deletionColumns({ zone: project.timezone, now, onPerson })}
        rows={page.results}
        keyOf={keyOfDeletion}
        handle={list}
      />
      <CountedPager
        count={page.count}
        offset={offset}
        limit={DELETIONS_PER_PAGE}
        shown={page.results.length}
        onOffset={(to) => change({ offset: to })}
      />
    </>
  )
}
