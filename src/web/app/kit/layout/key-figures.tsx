/** A few numbers beside each other, each with its name above it and what to know about it below. */
import type { ReactNode } from 'react'
import styles from './key-figures.module.css'

export function Figures({ children }: { children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>
}

interface FigureProps {
  name: string
  children: ReactNode
  note?: ReactNode
}

export function Figure({ name, children, note }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className={styles.note}>{note}</dd>}
    </div>
  )
}
