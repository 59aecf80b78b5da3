/** A part of a screen with a heading of its own, what it is about, and what can be done with all of it. */
import { type ReactNode, useId } from 'react'
import { classes } from '../class-names.ts'
import styles from './card.module.css'

interface CardProps {
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** Its content reaches its edges, as a table does. */
  flush?: boolean
  danger?: boolean
  children?: ReactNode
}

export function Card({ title, about, actions, flush = false, danger = false, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes(styles.card, danger && styles.danger)} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children !== undefined && children !== false && (
        <div className={flush ? styles.flush : styles.body}>{children}</div>
      )}
    </section>
  )
}

/** Things below each other: fields of a form, which need not be wide, or anything else. */
export function Stack({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return <div className={classes(styles.stack, !wide && styles.narrow)}>{children}</div>
}

/** Buttons beside each other. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
