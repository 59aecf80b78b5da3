/** The properties of an event by name, so many at once; each may become a filter or a column of the list. */
import { useState } from 'react'
import { useSearchState } from '../../data/use-search.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/field.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { asCondition, withCondition } from './conditions.ts'
import { CutText } from './cut-text.tsx'
import styles from './events.module.css'
import { eventsSearch } from './events.search.ts'
import { matchingProperties } from './value-words.ts'

type Properties = Readonly<Record<string, unknown>>

/** What a browser draws at once without one noticing. */
const MANY = 100
const SEARCHED_FROM = 8

export function EventProperties({ properties }: { properties: Properties }) {
  const [words, setWords] = useState('')
  const [shown, setShown] = useState(MANY)
  const count = Object.keys(properties).length
  const found = matchingProperties(properties, words)
  if (count === 0) return <Empty title="No properties">The event has a name, an id and a time, and nothing else.</Empty>
  return (
    <div className={styles.properties}>
      {count >= SEARCHED_FROM && (
        <TextField
          label={`Find among ${count} properties`}
          type="search"
          value={words}
          onText={(text) => {
            setWords(text)
            setShown(MANY)
          }}
        />
      )}
      <dl className={styles.list}>
        {found.slice(0, shown).map((name) => (
          <Property key={name} name={name} value={properties[name]} />
        ))}
      </dl>
      {found.length === 0 && <p className={styles.faint}>None has that in its name or value.</p>}
      {found.length > shown && <Button onClick={() => setShown(shown + MANY)}>{`Show more of ${found.length}`}</Button>}
    </div>
  )
}

function Property({ name, value }: { name: string; value: unknown }) {
  const [{ properties, columns }, change] = useSearchState(eventsSearch)
  const condition = asCondition(name, value)
  const isColumn = columns.includes(name)
  return (
    <div className={styles.property}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <CutText value={value} />
      </dd>
      <dd className={styles.uses}>
        <Button
          small
          kind="quiet"
          className={styles.use}
          aria-label={`${name} as filter`}
          reason={condition ? undefined : 'Only text, numbers and yes or no can be compared'}
          onClick={() =>
            condition && change({ properties: withCondition(properties, condition), cursor: '', open: '' })
          }
        >
          As filter
        </Button>
        <Button
          small
          kind="quiet"
          className={styles.use}
          aria-label={`${name} as column`}
          reason={isColumn ? 'It is one already' : undefined}
          onClick={() => change({ columns: [...columns, name], open: '' })}
        >
          As column
        </Button>
      </dd>
    </div>
  )
}
