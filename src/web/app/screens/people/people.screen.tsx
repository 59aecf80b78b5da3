/** Finding somebody: everybody of the project, newest first, by words, by conditions, with the properties one wants to see. */
import { type ReactNode, useMemo } from 'react'
import { csvAddress } from '../../data/address/csv.ts'
import { useExportKey } from '../../data/keyboard.ts'
import type { PeopleFilter, PeopleOrdering } from '../../data/people/people.ts'
import { usePeople } from '../../data/people/use-people.ts'
import { useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { CsvLink } from '../../kit/form/csv-link.tsx'
import { SearchField } from '../../kit/form/search-field.tsx'
import { type Selection, useSelection } from '../../kit/selection/use-selection.ts'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { Count } from '../../kit/text/number.tsx'
import { ColumnsChoice } from './columns-choice.tsx'
import { NobodyFound } from './nobody-found.tsx'
import styles from './people.module.css'
import { filterOf, ORDERINGS, type PeopleState, peopleSearch } from './people.search.ts'
import { PeopleChosen } from './people-chosen.tsx'
import { choosable } from './people-columns.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleList } from './people-list.tsx'

/** The same object as long as it says the same. */
function useFilter(state: PeopleState): PeopleFilter {
  const { search, properties, ordering } = filterOf(state)
  return useMemo(() => ({ search, properties, ...(ordering && { ordering }) }), [search, properties, ordering])
}

export function PeopleScreen() {
  const project = useProject()
  const [state, change] = useSearchState(peopleSearch)
  const { search, properties, columns, ordering } = state
  const filter = useFilter(state)
  const people = usePeople(project.id, filter)
  const selection = useSelection({ rowAt: people.rowAt, of: choosable, read: people.read })
  useExportKey()
  return (
    <>
      <section className={styles.panel} aria-label="People">
        <div className={styles.tools}>
          <SearchField
            label="Search by name, e-mail or id"
            value={search}
            onText={(text) => change({ search: text }, { replace: true })}
          />
          <div className={styles.buttons}>
            <OrderChoice ordering={ordering} onOrdering={(chosen) => change({ ordering: chosen })} />
            <ColumnsChoice columns={columns} onColumns={(chosen) => change({ columns: chosen })} />
            <CsvLink href={csvAddress(project.id, 'persons/', { ...filter })} />
          </div>
        </div>
        <div className={styles.filters}>
          <PeopleFilters filters={properties} onFilters={(filters) => change({ properties: filters })} />
        </div>
        {people.error !== null && (
          <div className={styles.problem}>
            <Problem error={people.error} onRetry={people.retry} />
          </div>
        )}
        <Listed people={people} columns={columns} selection={selection}>
          <NobodyFound
            search={search}
            filters={properties}
            onSearch={(text) => change({ search: text })}
            onFilters={(filters) => change({ properties: filters })}
          />
        </Listed>
      </section>
      <PeopleChosen selection={selection} />
    </>
  )
}

interface OrderChoiceProps {
  ordering: PeopleOrdering
  onOrdering: (ordering: PeopleOrdering) => void
}

const ORDER_NAMES: Record<PeopleOrdering, string> = {
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-last_seen_at': 'Seen last first',
  last_seen_at: 'Not seen for longest first',
}

function OrderChoice({ ordering, onOrdering }: OrderChoiceProps) {
  return (
    <select
      className={styles.order}
      aria-label="Order"
      value={ordering}
      onChange={(event) => onOrdering(event.currentTarget.value as PeopleOrdering)}
    >
      {ORDERINGS.map((one) => (
        <option key={one} value={one}>
          {ORDER_NAMES[one]}
        </option>
      ))}
    </select>
  )
}

interface ListedProps {
  people: ReturnType<typeof usePeople>
  columns: readonly string[]
  selection: Selection
  /** When there is nobody. */
  children: ReactNode
}

function Listed({ people, columns, selection, children }: ListedProps) {
  const { count, isKnown, isBehind, error } = people
  if (!isKnown)
    return (
      error === null && (
        <div className={styles.waiting}>
          <Skeleton lines={8} />
        </div>
      )
    )
  return (
    <div className={isBehind ? styles.behind : undefined} aria-busy={isBehind}>
      <p className={styles.count} role="status">
        <Count value={count} /> <span>{count === 1 ? 'person' : 'people'}</span>
      </p>
      {count === 0 ? children : <PeopleList people={people} properties={columns} selection={selection} />}
    </div>
  )
}
