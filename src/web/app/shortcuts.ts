/** Every key of the app, with its words: what listens to them and the help both read this table. */

export interface Shortcut {
  id:
    | 'palette'
    | 'help'
    | 'theme'
    | 'requests'
    | 'undo'
    | 'go'
    | 'copy'
    | 'pause'
    | 'export'
    | 'close'
    | 'search'
    | 'period'
    | 'row'
    | 'open'
    | 'choose'
    | 'tab'
    | 'point'
    | 'play'
    | 'seek'
    | 'speed'
    | 'skip'
    | 'full'
    | 'link'
    | 'inspector'
    | 'recording'
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
  { id: 'row', keys: ['j', 'k'], words: 'Next row, row before', where: 'lists' },
  { id: 'open', keys: ['Enter'], words: 'Open the row', where: 'lists' },
  { id: 'choose', keys: ['x'], words: 'Choose it; with Shift all up to it', where: 'People, Replays' },
  {
    id: 'period',
    keys: ['d', 'w', 'm'],
    words: 'The last day, week, month',
    where: 'Replays, Sessions, Events, Timeline of a person',
  },
  { id: 'tab', keys: ['1', '…', '6'], words: 'Go to a tab', where: 'Person' },
  { id: 'point', keys: ['←', '→'], words: 'The change before, the next change', where: 'Timeline of a person' },
  { id: 'pause', keys: ['p'], words: 'Pause, and go on', where: 'Live' },
  { id: 'export', keys: ['e'], words: 'Export the list as CSV', where: 'lists' },
  { id: 'play', keys: ['Space'], words: 'Play, pause', where: 'Replay' },
  {
    id: 'seek',
    keys: ['←', '→'],
    words: 'Ten seconds back, on; Alt: a frame; Shift: an event',
    where: 'Replay',
  },
  { id: 'speed', keys: [',', '.', '1', '…', '6'], words: 'Slower, faster; or a speed', where: 'Replay' },
  { id: 'skip', keys: ['s'], words: 'Skip idle time, or not', where: 'Replay' },
  { id: 'inspector', keys: ['i'], words: 'What happened', where: 'Replay' },
  { id: 'full', keys: ['f'], words: 'Full screen', where: 'Replay' },
  { id: 'link', keys: ['c'], words: 'Copy the link to this second', where: 'Replay' },
  { id: 'recording', keys: ['n', 'p'], words: 'Next recording, recording before', where: 'Replay' },
  { id: 'close', keys: ['Esc'], words: 'Close what is open' },
]
