/**
 * A dialog on the browser's own element: it keeps the focus, closes by Escape and gives the focus back. On a phone it is
 * a sheet at the lower edge. Whoever shows it puts it into the page, and takes it out when `onClose` is called.
 */
import { Cross2Icon } from '@radix-ui/react-icons'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classes } from '../class-names.ts'
import { IconButton } from '../form/button.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons at its end. */
  actions?: ReactNode
  size?: 'small' | 'wide' | 'side'
  /** A click beside it does not close it: something would be lost. */
  keep?: boolean
}

/** `data-first`: of a dialog without fields, where to begin. */
const FIELDS = ['input', 'select', 'textarea', '[data-first]'].map((name) => `${name}:not(:disabled, [hidden])`).join()

export function Dialog({ title, onClose, children, actions, size = 'small', keep = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed while it is still in the page: one that is gone gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    // The browser would choose the button that closes it.
    dialog?.querySelector<HTMLElement>(FIELDS)?.focus()
    return () => {
      dialog?.close()
      // What opened it may be gone, or be locked by what was done.
      if (document.activeElement === document.body) document.getElementById('main')?.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog is one way more; Escape is the key for it
    <dialog
      ref={ref}
      className={classes(styles.dialog, styles[size])}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (!keep && event.target === ref.current) onClose()
      }}
    >
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <IconButton small label="Close" icon={<Cross2Icon />} onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  )
}
