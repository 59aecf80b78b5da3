/**
 * Single keys as shortcuts: whether they are, in this browser, as who speaks to their machine may not want them (WCAG 2.1.4);
 * and listening to those of a screen.
 */
import { useEffect } from 'react'
import { createStore } from './store.ts'

const NAME = 'hedgerow:keys'

function read(): boolean {
  try {
    return localStorage.getItem(NAME) !== 'off'
  } catch {
    return true
  }
}

export const shortcutsEnabled = createStore<boolean>(read())

export function setShortcuts(enabled: boolean): void {
  shortcutsEnabled.set(() => enabled)
  try {
    localStorage.setItem(NAME, enabled ? 'on' : 'off')
  } catch {
    // Then it holds until the page is left.
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"], [type="range"]), textarea, select, [contenteditable]') !== null

/** Pressed where it means something: not while somebody types, nor in a dialog. */
const isForUs = ({ metaKey, ctrlKey, target }: KeyboardEvent): boolean =>
  !metaKey && !ctrlKey && !isTyping(target) && shortcutsEnabled.get() && !document.querySelector('dialog[open]')

/** A key alone. */
export const isShortcut = (event: KeyboardEvent): boolean => !event.altKey && isForUs(event)

/** Letters differ by Shift already. */
const nameOf = ({ key, altKey, shiftKey }: KeyboardEvent): string =>
  `${altKey ? 'Alt+' : ''}${shiftKey && key.length > 1 ? 'Shift+' : ''}${key}`

/** `run`: by the name of the key, `Alt+ArrowLeft` with the keys that are held. */
export function useKeys(run: Partial<Record<string, (event: KeyboardEvent) => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = run[nameOf(event)]
      if (act === undefined || event.defaultPrevented || !isForUs(event)) return
      event.preventDefault()
      act(event)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
}

/** `d`, `w` and `m`: of the last day, week and month. */
export const usePeriodKeys = (choose: (days: '1' | '7' | '30') => void): void =>
  useKeys({ d: () => choose('1'), w: () => choose('7'), m: () => choose('30') })

/** `e` takes the link to the CSV of what is shown. */
export const useExportKey = (): void =>
  useKeys({ e: () => document.querySelector<HTMLElement>('a[data-export]')?.click() })
