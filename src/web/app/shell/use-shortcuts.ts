/** Listens to the keys of shortcuts.ts: not while somebody types, nor with another key held, nor when switched off. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { shortcutsEnabled } from '../data/keyboard.ts'
import { screens } from '../screens.ts'
import type { Shortcut } from '../shortcuts.ts'

type Run = Partial<Record<Shortcut['id'], () => void>>

/** After `g`, for so long the next key is that of a screen. */
const GO_MS = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

const isPalette = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey

/** A letter alone, pressed where letters mean something here. */
const isLetter = ({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean =>
  !metaKey &&
  !ctrlKey &&
  !altKey &&
  !isTyping(target) &&
  shortcutsEnabled.get() &&
  !document.querySelector('dialog[open]')

const LETTERS: Partial<Record<string, Shortcut['id']>> = { '?': 'help', t: 'theme', q: 'requests' }

/** `pathOf`: of a screen, in the project that is shown. */
export function useShortcuts(run: Run, pathOf: (path: string) => string): void {
  const navigate = useNavigate()
  const goUntil = useRef(0)
  useEffect(() => {
    const go = (event: KeyboardEvent): boolean => {
      if (event.timeStamp > goUntil.current) return false
      goUntil.current = 0
      const screen = screens.find(({ key }) => key === event.key)
      if (screen) navigate({ to: pathOf(screen.path) })
      return screen !== undefined
    }
    const pressed = (event: KeyboardEvent) => {
      if (isPalette(event)) {
        event.preventDefault()
        run.palette?.()
        return
      }
      if (!isLetter(event) || go(event)) return
      if (event.key === 'g') goUntil.current = event.timeStamp + GO_MS
      const id = LETTERS[event.key]
      if (id !== undefined) run[id]?.()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
}
