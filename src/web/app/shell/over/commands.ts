/** What the palette offers: screens, projects, and what the keys do as well. */
import type { BootProject } from '../../data/boot.ts'
import { addressOf, boot } from '../../data/session.ts'
import { signOut } from '../../data/signing-in.ts'
import { nextTheme, setTheme, theme } from '../../data/theme.ts'
import { type Screen, screens } from '../../screens.ts'
import type { Overlay } from './overlay.ts'

export interface Command {
  id: string
  name: string
  about: string
  keys?: string | undefined
  run: () => void
}

interface Ways {
  pathOf: (path: string) => string
  /** To the same screen of another project, where it has it. */
  pathIn: (project: BootProject) => string
  /** The project that is shown. */
  project: BootProject
  go: (path: string) => void
  open: (what: Overlay) => void
  isKiosk: boolean
  setKiosk: (on: boolean) => void
}

const PLACES = { look: 'Product', records: 'Records', project: 'Project settings', you: 'You' }

type Listed = Screen & { in: keyof typeof PLACES }

/** About one thing, or for who is not signed in: no place to go to from anywhere. */
const isListed = (screen: Screen): screen is Listed => screen.in in PLACES

/** Each word of the text is contained in the name or in what is said about it; those whose name has them all come first. */
export function matching(commands: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/)
  const has = (whole: string): boolean => words.every((word) => whole.toLowerCase().includes(word))
  const found = commands.filter(({ name, about }) => has(`${name} ${about}`))
  return found.toSorted((a, b) => Number(has(b.name)) - Number(has(a.name)))
}

/** Its name is often that of many: its id is told, too. */
const projectCommands = ({ project: shown, pathIn, go }: Ways): Command[] =>
  (boot.signed_in?.projects ?? [])
    .filter(({ id }) => id !== shown.id)
    .map((project) => ({
      id: `project-${project.id}`,
      name: project.name,
      about: `Go to project ${project.id}`,
      run: () => go(pathIn(project)),
    }))

export function commandsFor(ways: Ways): Command[] {
  const { pathOf, go, open, isKiosk, setKiosk } = ways
  const shown = screens.filter(isListed)
  return [
    ...shown.map(({ path, name, key, in: place }) => ({
      id: path.replaceAll(/\W/g, '-'),
      name,
      about: PLACES[place],
      keys: key && `g ${key}`,
      run: () => go(pathOf(path)),
    })),
    ...projectCommands(ways),
    {
      id: 'docs',
      name: 'API docs',
      about: 'Everything by curl',
      run: () => window.open(addressOf('/api/docs/'), '_blank', 'noopener'),
    },
    {
      id: 'requests',
      name: 'Show request',
      about: 'What this screen asked for',
      keys: 'q',
      run: () => open('requests'),
    },
    { id: 'help', name: 'Keyboard shortcuts', about: 'All keys', keys: '?', run: () => open('help') },
    {
      id: 'theme',
      name: 'Change the theme',
      about: 'System, light, dark',
      keys: 't',
      run: () => setTheme(nextTheme(theme.get())),
    },
    {
      id: 'kiosk',
      name: isKiosk ? 'Show menu and bar' : 'Hide menu and bar',
      about: 'For a screen on a wall',
      run: () => setKiosk(!isKiosk),
    },
    { id: 'out', name: 'Sign out', about: 'Of this browser', run: () => void signOut() },
  ]
}
