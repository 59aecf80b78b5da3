/** The columns of the list: who it is, when they were here, and the properties that were chosen. */
import { CheckIcon } from '@radix-ui/react-icons'
import type { PersonRow } from '../../data/people/people.ts'
import type { ListColumn } from '../../kit/list/list-table.tsx'
import { RowLink } from '../../kit/list/row-link.tsx'
import { checkColumn } from '../../kit/selection/check-column.tsx'
import type { Choosable, Selection } from '../../kit/selection/use-selection.ts'
import { JsonValue } from '../../kit/text/json-value.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { lastSeen } from './last-seen.ts'
import styles from './people.module.css'

interface ColumnParts {
  properties: readonly string[]
  zone: string
  selection: Pick<Selection, 'chosen' | 'toggle'>
  pathOf: (person: PersonRow) => string
}

export const choosable = ({ uuid, name }: PersonRow): Choosable => ({ id: uuid, name })

export function columnsOf({ properties, zone, selection, pathOf }: ColumnParts): ListColumn<PersonRow>[] {
  return [
    checkColumn(selection, choosable),
    {
      name: 'Name',
      track: 'minmax(9rem, 2fr)',
      card: 'title',
      cell: (person) => (
        <div className={styles.name}>
          <RowLink to={pathOf(person)} data-row className={styles.link} dir="auto" title={person.name}>
            {person.name}
          </RowLink>
        </div>
      ),
    },
    ...properties.map(
      (key): ListColumn<PersonRow> => ({
        name: key,
        track: 'minmax(0, 1.5fr)',
        cell: (person) => (
          <div className="one-line">
            {Object.hasOwn(person.properties, key) && <JsonValue value={person.properties[key]} />}
          </div>
        ),
      }),
    ),
    {
      name: 'Identified',
      track: 'minmax(0, 6rem)',
      cell: ({ is_identified }) =>
        is_identified ? (
          <span className={styles.identified}>
            <CheckIcon aria-hidden="true" />
            yes
          </span>
        ) : (
          <span className={styles.anonymous}>no</span>
        ),
    },
    {
      name: 'First seen',
      track: 'minmax(0, 8rem)',
      cell: ({ created_at }) => <Moment at={created_at} zone={zone} />,
    },
    {
      name: 'Last seen',
      track: 'minmax(0, 8rem)',
      cell: (person) => <Moment at={lastSeen(person)} zone={zone} />,
    },
  ]
}
