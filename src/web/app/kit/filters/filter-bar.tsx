/**
 * The filters of a list: each a chip that can be opened and taken away, and a form for one more. It knows nothing of the
 * API: what properties there are is handed in, and for the values of one it asks by `onAsk`.
 */
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Button } from '../form/button.tsx'
import type { Suggestion } from '../form/suggest-field.tsx'
import styles from './filter-bar.module.css'
import type { AskedValues, FilterSource } from './filter-source.ts'
import { draftOf, partsOf } from './filter-words.ts'
import { type Condition, type Filters, hasFilters } from './property-filter.ts'

/** Loaded when somebody comes near, by pointer or by keys: it is there when it is opened. */
const FilterEditor = lazyRouteComponent(() => import('./filter-editor.tsx'), 'FilterEditor')
const comeNear = () => void FilterEditor.preload?.()

interface FilterBarProps {
  filters: Filters
  onFilters: (filters: Filters) => void
  /** At least one. Conditions without a type are of the first. */
  sources: readonly [FilterSource, ...FilterSource[]]
  /** Of the property that was asked for last. */
  values: readonly Suggestion[]
  onAsk: (asked: AskedValues) => void
}

/** The place of the condition that is open: one after the last for a new one. */
type Open = number | null

export function FilterBar({ filters, onFilters, sources, values, onAsk }: FilterBarProps) {
  const [open, setOpen] = useState<Open>(null)
  const list = Array.isArray(filters) ? filters : []
  const keep = (condition: Condition) => {
    onFilters(replaced(list, open ?? list.length, condition))
    setOpen(null)
  }
  const current = open === null ? undefined : list[open]
  const type = sources[0].type
  return (
    <section className={styles.filters} aria-label="Filters" onPointerEnter={comeNear} onFocus={comeNear}>
      <div className={styles.bar}>
        <Parts filters={filters} onFilters={onFilters} onOpen={setOpen} />
        {Array.isArray(filters) && (
          <Button small icon={<PlusIcon />} aria-expanded={open === list.length} onClick={() => setOpen(list.length)}>
            Filter
          </Button>
        )}
        {hasFilters(filters) && (
          <Button small kind="quiet" onClick={() => onFilters([])}>
            Clear
          </Button>
        )}
      </div>
      <Suspense>
        {open !== null && (
          <FilterEditor
            key={open}
            first={current ? draftOf(current, type) : { key: '', operator: 'exact', type, values: [] }}
            sources={sources}
            values={values}
            onAsk={onAsk}
            onKeep={keep}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </section>
  )
}

const replaced = (list: Condition[], at: number, condition: Condition): Condition[] =>
  at < list.length ? list.map((other, place) => (place === at ? condition : other)) : [...list, condition]

interface PartsProps extends Pick<FilterBarProps, 'filters' | 'onFilters'> {
  onOpen: (at: number) => void
}

function Parts({ filters, onFilters, onOpen }: PartsProps) {
  if (!hasFilters(filters)) return null
  return (
    <ul className={`plain-list ${styles.parts}`} aria-label="Conditions">
      {partsOf(filters).map(({ words, without }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice
        <li key={at} className={styles.part}>
          <button type="button" disabled={!Array.isArray(filters)} className={styles.words} onClick={() => onOpen(at)}>
            {words}
          </button>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove filter: ${words}`}
            onClick={() => onFilters(without)}
          >
            <Cross2Icon />
          </button>
        </li>
      ))}
    </ul>
  )
}
