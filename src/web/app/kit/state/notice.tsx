/** A sentence in a box: something to know, to look at, or that went wrong. Its words tell which, not its colour alone. */
import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import styles from './states.module.css'

interface NoticeProps {
  kind?: 'plain' | 'good' | 'warn' | 'bad'
  children: ReactNode
  actions?: ReactNode
}

export function Notice({ kind = 'plain', children, actions }: NoticeProps) {
  return (
    <div className={classes(styles.notice, styles[kind])} role={kind === 'bad' ? 'alert' : 'status'}>
      <div className={styles.words}>{children}</div>
      {actions}
    </div>
  )
}
