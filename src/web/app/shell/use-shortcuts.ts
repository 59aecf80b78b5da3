/** Listens to the keys of shortcuts.ts: not while somebody types, nor with another key held, nor when switched off. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isShortcut } from '../data/keyboard.ts'
import { screens } from '../screens.ts'
import type { Shortcut } from '../shortcuts.ts'

type Run = Partial<Record<Shortcut['id'], () => void>>

/** After `g`, for so long the next key is that of a screen. */
const GO_MS = 1_500

const isPalette = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey

const LETTERS: Partial<Record<string, Shortcut['id']>> = {
  '?': 'help',
  t: 'theme',
  q: 'requests',
  u: 'undo',
  '/': 'search',
}

/** `pathOf`: of a screen, in the project that is shown. */
export function useShortcuts(run: Run, pathOf: (path: string) => string): void {
  const navigate = useNavigate()
  const goUntil = useRef(0)
  useEffect(() => {
    const go = (event: KeyboardEvent): boolean => {
      if (event.timeStamp > goUntil.current) return false
      goUntil.current = 0
      const screen = screens.find(({ key }) => key === event.key)
      if (!screen) return false
      // The screen that is left may have the same key.
      event.preventDefault()
      navigate({ to: pathOf(screen.path) })
      return true
    }
    const pressed = (event: KeyboardEvent) => {
      if (isPalette(event)) {
        event.preventDefault()
        run.palette?.()
        return
      }
      // A key that is held down is pressed once.
      if (event.repeat || !isShortcut(event) || go(event)) return
      if (event.key === 'g') goUntil.current = event.timeStamp + GO_MS
      const id = LETTERS[event.key]
      if (id === undefined) return
      event.preventDefault()
      run[id]?.()
    }
    window.addEventListener('keydown', pressed, true)
    return () => window.removeEventListener('keydown', pressed, true)
  })
}
