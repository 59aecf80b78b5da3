/** A button. While something is under way it is locked and says so. */
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../class-names.ts'
import styles from './button.module.css'

type Kind = 'plain' | 'main' | 'danger' | 'quiet'

interface Look {
  kind?: Kind
  small?: boolean
  icon?: ReactNode
}

const lookOf = ({ kind = 'plain', small }: Look): string =>
  classes(styles.button, styles[kind], small === true && styles.small)

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Something is under way. */
  busy?: boolean | undefined
  /** Why it cannot be used; shown on hover and read out. Undefined: it can. */
  reason?: string | undefined
}

export function Button({ kind, small, icon, busy, reason, children, ...rest }: ButtonProps) {
  const locked = busy === true || rest.disabled === true || reason !== undefined
  return (
    <button
      type="button"
      title={reason}
      {...rest}
      className={classes(lookOf({ ...(kind && { kind }), ...(small && { small }) }), rest.className)}
      disabled={locked}
      aria-busy={busy === true}
    >
      {icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

/** Only an icon is to be seen; `label` is its name. */
export function IconButton({ label, icon, ...rest }: Omit<ButtonProps, 'children'> & { label: string }) {
  return (
    <Button
      kind="quiet"
      {...rest}
      icon={icon}
      aria-label={label}
      title={label}
      className={classes(styles.icon, rest.className)}
    />
  )
}
