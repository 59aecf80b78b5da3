/** Short news that go away by themselves: what was done, with what can be done next. Read out, and never in the way. */
import { Cross2Icon } from '@radix-ui/react-icons'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { IconButton } from '../form/button.tsx'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
  /** Such as "Undo". */
  action?: { name: string; run: () => void } | undefined
}

type Tell = (text: string, action?: Toast['action']) => void

const LASTS_MS = 6_000
const MOST = 4

const Telling = createContext<Tell>(() => undefined)

/** A function that shows a toast. */
export const useTell = (): Tell => useContext(Telling)

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toast[]>([])
  const count = useRef(0)
  const remove = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>(
    (text, action) => {
      count.current += 1
      const id = count.current
      setShown((all) => [...all.slice(1 - MOST), { id, text, action }])
      setTimeout(() => remove(id), LASTS_MS)
    },
    [remove],
  )
  const list = useMemo(
    () =>
      shown.map(({ id, text, action }) => (
        <li key={id} className={styles.toast}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                action.run()
                remove(id)
              }}
            >
              {action.name}
            </button>
          )}
          <IconButton small label="Dismiss" icon={<Cross2Icon />} onClick={() => remove(id)} />
        </li>
      )),
    [shown, remove],
  )
  return (
    <Telling value={tell}>
      {children}
      <div role="status" aria-live="polite">
        <ul className={`plain-list ${styles.list}`}>{list}</ul>
      </div>
    </Telling>
  )
}
