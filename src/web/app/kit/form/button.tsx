/**
 * A button. While something is under way, or for a reason, it is locked and says so; it keeps the focus, or can be given it,
 * as the reason would be out of reach of the keyboard otherwise.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
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

/** A button that is locked does not submit its form either. */
const doNothing = (event: MouseEvent): void => event.preventDefault()

export function Button({ kind, small, icon, busy = false, reason, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      title={reason}
      {...rest}
      className={classes(lookOf({ ...(kind && { kind }), ...(small && { small }) }), rest.className)}
      aria-busy={busy}
      {...((busy || reason !== undefined) && { 'aria-disabled': true, onClick: doNothing })}
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

interface LinkButtonProps extends ComponentProps<'a'>, Look {}

/** A link that looks like a button: it leads somewhere, or to a file. */
export function LinkButton({ kind, small, icon, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={classes(lookOf({ ...(kind && { kind }), ...(small && { small }) }), rest.className)}>
      {icon}
      <span>{children}</span>
    </a>
  )
}
