/** Whether single letters are shortcuts in this browser: who speaks to their machine may not want them (WCAG 2.1.4). */
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
