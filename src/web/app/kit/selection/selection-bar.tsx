/** What is chosen, and what can be done with it; it stays in sight at the end of the page. */
import type { ReactNode } from 'react'
import { Button } from '../form/button.tsx'
import { Count } from '../text/number.tsx'
import styles from './selection.module.css'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  /** What one is called, and several are. */
  names: readonly [one: string, several: string]
  /** Buttons. */
  children: ReactNode
}

export function SelectionBar({ selection, names: [one, several], children }: SelectionBarProps) {
  const { size } = selection.chosen
  if (size === 0) return null
  return (
    <section className={styles.selection} aria-label={`Chosen ${several}`}>
      <p role="status">
        <Count value={size} /> <span>{size === 1 ? one : several} chosen</span>
      </p>
      <Button kind="quiet" onClick={selection.clear}>
        Choose none
      </Button>
      {children}
    </section>
  )
}
