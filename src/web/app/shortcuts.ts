/** Every key of the app, with its words: what listens to them and the help both read this table. */

export interface Shortcut {
  id: 'palette' | 'help' | 'theme' | 'requests' | 'undo' | 'go' | 'copy' | 'close' | 'search'
  /** As people press them; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  keys: readonly string[]
  words: string
  /** Where it works; everywhere without one. */
  where?: string
}

export const shortcuts: readonly Shortcut[] = [
  { id: 'palette', keys: ['Mod', 'K'], words: 'Go anywhere, do anything' },
  { id: 'help', keys: ['?'], words: 'Show this list' },
  { id: 'go', keys: ['g', '…'], words: 'Go to a screen, by its key' },
  { id: 'requests', keys: ['q'], words: 'Show the requests behind this screen' },
  { id: 'undo', keys: ['u'], words: 'Undo, as long as it is offered' },
  { id: 'theme', keys: ['t'], words: 'Change the theme: system, light, dark' },
  { id: 'copy', keys: ['c'], words: 'Copy the snippet', where: 'First event' },
  { id: 'search', keys: ['/'], words: 'Search', where: 'where there is a field for it' },
  { id: 'close', keys: ['Esc'], words: 'Close what is open' },
]
