/**
 * The ids of a person in two columns: those that stay, and those that leave, each to be somebody new. Pressing one moves it
 * to the other column; the focus stays where it was, at the id beside, so that several can be moved one after the other.
 */
import { ArrowLeftIcon, ArrowRightIcon } from '@radix-ui/react-icons'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fullNumber } from '../../../../../lib/text/human-format.ts'
import type { Person } from '../../../data/people/person.ts'
import { SearchField } from '../../../kit/form/search-field.tsx'
import styles from './split.module.css'

/** With fewer ids one need not search for one. */
const MANY = 12
/** The most that are drawn of a column. */
const SHOWN = 100

/** The number of events by id; undefined as long as it is not known. */
type Events = ReadonlyMap<string, number> | undefined

const eventsInWords = (count: number): string => (count === 1 ? '1 event' : `${fullNumber(count)} events`)

/** `2 ids, 1,204 events`, the events as soon as they are known. */
function amountOf(ids: readonly string[], events: Events): string {
  const amount = ids.length === 1 ? '1 id' : `${fullNumber(ids.length)} ids`
  if (!events) return amount
  return `${amount}, ${eventsInWords(ids.reduce((sum, id) => sum + (events.get(id) ?? 0), 0))}`
}

interface SplitColumnsProps {
  person: Person
  leaving: ReadonlySet<string>
  events: Events
  /** What stands in the place of a number that is not known. */
  noNumber: string
  onMove: (id: string) => void
}

export function SplitColumns({ person, leaving, events, noNumber, onMove }: SplitColumnsProps) {
  const { name, distinct_ids: ids } = person
  const [text, setText] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const move = (id: string, button: HTMLButtonElement) => {
    const item = button.closest('li')
    const beside = item?.nextElementSibling ?? item?.previousElementSibling
    flushSync(() => onMove(id))
    const moved = place.current?.querySelector<HTMLElement>(`button[value="${CSS.escape(id)}"]`)
    const next = beside?.querySelector('button') ?? moved ?? place.current?.querySelector('input')
    next?.focus()
  }
  const shared = { text: text.trim().toLowerCase(), events, noNumber, onMove: move }
  return (
    <div ref={place} className={styles.place}>
      {ids.length > MANY && <SearchField label="Search ids" value={text} onText={setText} />}
      <div className={styles.columns}>
        <Column
          {...shared}
          title="Stays"
          about={`With ${name}, and with all properties.`}
          ids={ids.filter((id) => !leaving.has(id))}
        />
        <Column
          {...shared}
          leaves
          title="Leaves"
          about="Each becomes a new person, named after its id."
          ids={ids.filter((id) => leaving.has(id))}
        />
      </div>
    </div>
  )
}

interface ColumnProps extends Pick<SplitColumnsProps, 'events' | 'noNumber'> {
  title: string
  about: string
  ids: readonly string[]
  leaves?: boolean
  /** Only ids that contain it are drawn. */
  text: string
  onMove: (id: string, button: HTMLButtonElement) => void
}

function Column({ title, about, ids, leaves = false, text, events, noNumber, onMove }: ColumnProps) {
  const heading = useId()
  const found = text === '' ? ids : ids.filter((id) => id.toLowerCase().includes(text))
  const hidden = found.length - SHOWN
  return (
    <section className={styles.column} aria-labelledby={heading}>
      <h3 id={heading}>
        {title} <small>{amountOf(ids, events)}</small>
      </h3>
      <p className={styles.about}>{about}</p>
      <ul className="plain-list">
        {found.slice(0, SHOWN).map((id) => {
          const count = events?.get(id)
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.id}
                data-first=""
                value={id}
                onClick={({ currentTarget }) => onMove(id, currentTarget)}
              >
                <code>{id}</code>
                <small>
                  {leaves && `becomes “${id}” · `}
                  {count === undefined ? noNumber : eventsInWords(count)}
                </small>
                <span className="visually-hidden">{leaves ? 'let it stay' : 'let it leave'}</span>
                {leaves ? <ArrowLeftIcon /> : <ArrowRightIcon />}
              </button>
            </li>
          )
        })}
      </ul>
      {found.length === 0 && <p className={styles.none}>{ids.length === 0 ? 'None yet.' : 'None has this in it.'}</p>}
      {hidden > 0 && <p className={styles.none}>And {fullNumber(hidden)} more: search for them.</p>}
    </section>
  )
}
