/** Who did what: the activity of the project, newest first, as sentences with what they changed. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ACTIVITIES_PER_PAGE, type Activity, activityQuery, useUndo } from '../../data/activity.ts'
import { csvAddress } from '../../data/address/csv.ts'
import { useExportKey, useKeys } from '../../data/keyboard.ts'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { boot, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { ActivityEntry, ActivityList } from '../../kit/activity/activity-entry.tsx'
import { SCOPES, scopeName, whoOf } from '../../kit/activity/sentences.ts'
import { CsvLink } from '../../kit/form/csv-link.tsx'
import { SelectField } from '../../kit/form/field.tsx'
import { FilterRow, TextFilter } from '../../kit/form/text-filter.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { CountedPager } from '../../kit/layout/pager.tsx'
import type { ListHandle } from '../../kit/list/list-table.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import { useTell } from '../../kit/overlay/toasts.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { NothingMatches } from '../../kit/state/nothing-matches.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { historySearch } from './history.search.ts'

const FIELDS = ['scope', 'item_id', 'user']

export function HistoryScreen() {
  const project = useProject()
  const [state] = useSearchState(historySearch)
  const entries = useQuery(activityQuery(project.id, state))
  const { scope, item_id, user } = state
  const rest = problemBeside(entries.error, FIELDS)
  useExportKey()
  return (
    <Card
      title="Who did what"
      about="Every change by people, programs and the server itself, in this project and its organization."
      actions={<CsvLink href={csvAddress(project.id, 'activity_log/', { scope, item_id, user })} />}
      flush
    >
      <Filters entries={entries.data?.results ?? []} error={entries.error} />
      {rest != null && <Problem error={rest} onRetry={() => entries.refetch()} />}
      {entries.isPending && <Skeleton lines={8} />}
      {entries.data && !entries.error && <Entries page={entries.data} />}
    </Card>
  )
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const SCOPE_CHOICES = Object.entries(SCOPES).map(([scope, name]) => [scope, capital(name)] as const)

/** Whoever is signed in, and those in sight; one that the address names is always among them. */
function userChoices(entries: readonly Activity[], chosen: string): (readonly [string, string])[] {
  const me = boot.signed_in?.user
  const found = new Map<string, string>(me ? [[me.uuid, `${me.first_name || me.email} (you)`]] : [])
  for (const { user } of entries) {
    const id = user.uuid ?? ''
    if (id !== '' && !found.has(id)) found.set(id, whoOf(user))
  }
  if (chosen !== '' && !found.has(chosen)) found.set(chosen, `User ${chosen}`)
  return [['', 'Anybody'], ...found]
}

function Filters({ entries, error }: { entries: readonly Activity[]; error: unknown }) {
  const [{ scope, item_id, user }, change] = useSearchState(historySearch)
  const isOther = scope !== '' && !Object.hasOwn(SCOPES, scope)
  return (
    <FilterRow>
      <SelectField
        label="Kind"
        choices={[['', 'Everything'], ...SCOPE_CHOICES, ...(isOther ? ([[scope, scope]] as const) : [])]}
        value={scope}
        onText={(chosen) => change({ scope: chosen, offset: 0 })}
      />
      <SelectField
        label="By"
        choices={userChoices(entries, user)}
        value={user}
        problem={problemAt(error, 'user')}
        onText={(chosen) => change({ user: chosen, offset: 0 })}
      />
      <TextFilter
        label="Id"
        placeholder="Id of a person, recording…"
        value={item_id}
        onCommit={(id) => change({ item_id: id, offset: 0 })}
      />
    </FilterRow>
  )
}

function Entries({ page }: { page: { count: number; results: Activity[] } }) {
  const project = useProject()
  const tell = useTell()
  const undo = useUndo(project, () => tell('It is undone'))
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const [{ scope, item_id, user, offset }, change] = useSearchState(historySearch)
  const filters = [
    ...(scope === '' ? [] : [{ words: `kind: ${scopeName(scope)}`, drop: () => change({ scope: '', offset: 0 }) }]),
    ...(user === '' ? [] : [{ words: `by user ${user}`, drop: () => change({ user: '', offset: 0 }) }]),
    ...(item_id === '' ? [] : [{ words: `id ${item_id}`, drop: () => change({ item_id: '', offset: 0 }) }]),
  ]
  if (page.count === 0 && filters.length > 0) return <NothingMatches what="entry" filters={filters} />
  if (page.count === 0)
    return <Empty title="Nothing was done yet">The first change of a setting, a person or a report is told here.</Empty>
  return (
    <>
      <ActivityList handle={list}>
        {page.results.map((entry) => (
          <ActivityEntry
            key={entry.id}
            entry={entry}
            zone={project.timezone}
            undo={undo(entry)}
            onUser={(id) => change({ user: id, offset: 0 })}
            onItem={(kind, id) => change({ scope: kind, item_id: id, offset: 0 })}
          />
        ))}
      </ActivityList>
      <CountedPager
        count={page.count}
        offset={offset}
        limit={ACTIVITIES_PER_PAGE}
        shown={page.results.length}
        onOffset={(to) => change({ offset: to })}
      />
    </>
  )
}
