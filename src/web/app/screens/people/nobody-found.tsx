/** Nobody is in the list: because there is nobody yet, or because nobody matches; then each condition can be dropped. */
import { Link } from '@tanstack/react-router'
import { projectPath, useProject } from '../../data/session.ts'
import { partsOf } from '../../kit/filters/filter-words.ts'
import { type Filters, hasFilters } from '../../kit/filters/property-filter.ts'
import { Button } from '../../kit/form/button.tsx'
import { Row } from '../../kit/layout/card.tsx'
import { Empty } from '../../kit/state/empty.tsx'

interface NobodyFoundProps {
  search: string
  filters: Filters
  onSearch: (search: string) => void
  onFilters: (filters: Filters) => void
}

export function NobodyFound({ search, filters, onSearch, onFilters }: NobodyFoundProps) {
  const project = useProject()
  if (search === '' && !hasFilters(filters))
    return (
      <Empty
        title="Nobody has been here yet"
        actions={<Link to={projectPath(project, '/start')}>Send the first event</Link>}
      >
        A person appears with the first event that carries their id.
      </Empty>
    )
  return (
    <Empty
      title="Nobody matches"
      actions={
        <Row>
          {search !== '' && <Button onClick={() => onSearch('')}>Drop the search “{search}”</Button>}
          {partsOf(filters).map(({ words, without }) => (
            <Button key={words} onClick={() => onFilters(without)}>
              Drop “{words}”
            </Button>
          ))}
        </Row>
      }
    >
      All of these have to hold. Without one of them there may be somebody.
    </Empty>
  )
}
