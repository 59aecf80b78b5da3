/** One word about the state of something, with an icon where its colour says more than the word. */
import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import styles from './mark.module.css'

interface MarkProps {
  kind?: 'plain' | 'good' | 'warn' | 'bad'
  icon?: ReactNode
  children: string
}

export function Mark({ kind = 'plain', icon, children }: MarkProps) {
  return (
    <span className={classes(styles.mark, kind !== 'plain' && styles[kind])}>
      {icon}
      <span>{children}</span>
    </span>
  )
}
