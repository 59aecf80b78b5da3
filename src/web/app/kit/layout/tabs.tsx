/** Tabs that choose what is shown below them; arrows move between them. The choice itself lives in the address. */
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './tabs.module.css'

interface TabsProps<Id extends string> {
  label: string
  tabs: readonly (readonly [id: Id, name: string])[]
  current: Id
  onChoose: (id: Id) => void
  children: ReactNode
}

const STEPS: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function Tabs<Id extends string>({ label, tabs, current, onChoose, children }: TabsProps<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    const at = (tabs.findIndex(([tab]) => tab === current) + by + tabs.length) % tabs.length
    const next = tabs[at]
    if (next) onChoose(next[0])
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus()
    event.preventDefault()
  }
  return (
    <div className={styles.tabs}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={move}>
        {tabs.map(([tab, name]) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            className={styles.tab}
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChoose(tab)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}
