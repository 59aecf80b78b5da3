/**
 * A button that opens a small panel below it, on the browser's own popover: a click elsewhere or Escape closes it. It is
 * placed when it opens, inside the window. Arrows go from item to item of a menu.
 */
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { classes } from '../class-names.ts'
import { placeBelow } from './place-below.ts'
import styles from './popover.module.css'

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function step(event: KeyboardEvent<HTMLElement>): void {
  const by = STEPS[event.key]
  if (by === undefined) return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items.at((at + by + items.length) % items.length)?.focus()
  event.preventDefault()
}

interface PopoverProps {
  /** The name of the button and of the panel. */
  label: string
  /** What the button shows. */
  button: ReactNode
  buttonClass?: string | undefined
  children: ReactNode
}

export function Popover({ label, button, buttonClass, children }: PopoverProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={opener} type="button" className={buttonClass} popoverTarget={id} aria-haspopup="true" title={label}>
        {button}
        <span className="visually-hidden">{label}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between its links and buttons */}
      <div
        id={id}
        popover="auto"
        className={styles.panel}
        onKeyDown={step}
        onToggle={(event) => {
          if (event.newState === 'open' && opener.current) placeBelow(event.currentTarget, opener.current)
        }}
        onClick={(event) => {
          if ((event.target as HTMLElement).closest('a, button')) event.currentTarget.hidePopover()
        }}
      >
        {children}
      </div>
    </>
  )
}

/** For links and buttons inside a popover. */
export const menuItem = (isCurrent = false): string => classes(styles.item, isCurrent && styles.current)

export function MenuLine() {
  return <hr className={styles.line} />
}

export function MenuText({ children }: { children: ReactNode }) {
  return <div className={styles.text}>{children}</div>
}
