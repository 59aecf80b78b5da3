/** What came in: events newest first, narrowed by filters, with properties as columns; one can be looked at as a whole. */
import { ReloadIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { csvAddress } from '../../data/address/csv.ts'
import { eventsQuery } from '../../data/events.ts'
import { useExportKey } from '../../data/keyboard.ts'
import { problemBeside } from '../../data/requests/api-problem.ts'
import { useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { IconButton } from '../../kit/form/button.tsx'
import { CsvLink } from '../../kit/form/csv-link.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { EventDialog } from './event-dialog.tsx'
import { EventFilters, FIELDS } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import { eventsSearch } from './events.search.ts'

export function EventsScreen() {
  const project = useProject()
  const [{ cursor, columns: _, open, ...filter }, change] = useSearchState(eventsSearch)
  const page = useQuery(eventsQuery(project.id, filter, cursor))
  const rest = problemBeside(page.error, FIELDS)
  useExportKey()
  return (
    <>
      <Card
        title="What came in"
        about="Newest first, by when it happened."
        actions={
          <>
            <IconButton
              label="Look again"
              icon={<ReloadIcon />}
              busy={page.isFetching}
              onClick={() => page.refetch()}
            />
            <CsvLink href={csvAddress(project.id, 'events/', filter)} />
          </>
        }
        flush
      >
        <EventFilters project={project} error={page.error} />
        {rest != null && <Problem error={rest} onRetry={() => page.refetch()} />}
        {page.isPending && <Skeleton lines={10} />}
        {page.data && !page.error && <EventList project={project} page={page.data} />}
      </Card>
      {open !== '' && (
        <EventDialog
          key={open}
          project={project}
          uuid={open}
          listed={page.data?.events.find(({ uuid }) => uuid === open)}
          onClose={() => change({ open: '' })}
        />
      )}
    </>
  )
}
