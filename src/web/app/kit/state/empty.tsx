/** Nothing is here, and why: there is no data yet, nothing matches, or it is not allowed. */
import type { ReactNode } from 'react'
import styles from './states.module.css'

interface EmptyProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
}

export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions}
    </div>
  )
}
