/** What the palette offers: screens, projects, and what the keys do as well. */
import { addressOf, boot, projectPath } from '../../data/session.ts'
import { signOut } from '../../data/signing-in.ts'
import { nextTheme, setTheme, theme } from '../../data/theme.ts'
import { screens } from '../../screens.ts'
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
  go: (path: string) => void
  open: (what: Overlay) => void
}

const PLACES = { look: 'Product', project: 'Project settings', you: 'You', account: '' }

/** Each word of the text is contained in the name or in what is said about it. */
export function matching(commands: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/)
  return commands.filter(({ name, about }) => {
    const whole = `${name} ${about}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}

export function commandsFor({ pathOf, go, open }: Ways): Command[] {
  const shown = screens.filter(({ in: place }) => place !== 'account')
  return [
    ...shown.map(({ path, name, key, in: place }) => ({
      id: path.replaceAll(/\W/g, '-'),
      name,
      about: PLACES[place],
      keys: key && `g ${key}`,
      run: () => go(pathOf(path)),
    })),
    ...(boot.signed_in?.projects ?? []).map((project) => ({
      id: `project-${project.id}`,
      name: project.name,
      about: 'Go to this project',
      run: () => go(projectPath(project, '/start')),
    })),
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
    { id: 'out', name: 'Sign out', about: 'Of this browser', run: () => void signOut() },
  ]
}
