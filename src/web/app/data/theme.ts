/** Light, dark, or as the system is. Kept with the user, so that the server's next page has it from its first paint. */
import { changeUser } from './account.ts'
import type { Theme } from './boot.ts'
import { boot } from './session.ts'
import { createStore } from './store.ts'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const shown = document.documentElement.dataset.theme as Theme | undefined

export const theme = createStore<Theme>(shown ?? 'system')

export const THEME_NAMES: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' }

export const nextTheme = (now: Theme): Theme => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'system'

/** One that the address asks for counts for this page only, and no longer than until another is chosen. */
function forgetInAddress(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('theme')) return
  url.searchParams.delete('theme')
  history.replaceState(history.state, '', url)
}

export function setTheme(next: Theme): void {
  forgetInAddress()
  theme.set(() => next)
  document.documentElement.dataset.theme = next
  // A theme that could not be kept is no reason to bother anybody.
  if (boot.signed_in) changeUser({ theme_mode: next === 'system' ? null : next }).catch(() => undefined)
}
