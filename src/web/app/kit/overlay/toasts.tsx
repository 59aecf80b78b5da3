/**
 * Short news that go away by themselves, unless somebody is at them: what was done, and the way back where there is one.
 * Read out, and never in the way.
 */
import { Cross2Icon } from '@radix-ui/react-icons'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { IconButton } from '../form/button.tsx'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
  /** Takes back what was done. */
  undo?: (() => void) | undefined
}

type Tell = (text: string, undo?: Toast['undo']) => void

const LASTS_MS = 6_000
const MOST = 4

const Telling = createContext<Tell>(() => undefined)

/** A function that shows a toast. */
export const useTell = (): Tell => useContext(Telling)

/** Presses the newest "Undo" that is offered. */
export const undoNewest = (): void => [...document.querySelectorAll<HTMLElement>('[data-undo]')].at(-1)?.click()

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toast[]>([])
  const count = useRef(0)
  const list = useRef<HTMLUListElement>(null)
  const remove = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>(
    (text, undo) => {
      count.current += 1
      const id = count.current
      setShown((all) => [...all.slice(1 - MOST), { id, text, undo }])
      const wait = () =>
        setTimeout(() => (list.current?.matches(':hover, :focus-within') ? wait() : remove(id)), LASTS_MS)
      wait()
    },
    [remove],
  )
  const toasts = useMemo(
    () =>
      shown.map(({ id, text, undo }) => (
        <li key={id} className={styles.toast}>
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              className={styles.action}
              data-undo=""
              onClick={() => {
                undo()
                remove(id)
              }}
            >
              Undo
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
        <ul ref={list} className={`plain-list ${styles.list}`}>
          {toasts}
        </ul>
      </div>
    </Telling>
  )
}
