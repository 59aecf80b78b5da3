/** Single keys as shortcuts: whether they are, in this browser, as who speaks to their machine may not want them (WCAG 2.1.4). */
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
