/** What the page told the app at its start; see src/features/app-page/boot-data.ts, which a test compares it with. */

export type Theme = 'light' | 'dark' | 'system'

export interface BootProject {
  id: number
  name: string
  api_token: string
  timezone: string
  organization: string
  ingested_event: boolean
  level: number
  scopes: string[]
}

interface SignedIn {
  user: { uuid: string; email: string; first_name: string; last_name: string }
  via: 'password' | 'key'
  theme_mode: Theme
  scopes: string[]
  current_project: number | null
  projects: BootProject[]
  project_count: number
}

export interface Boot {
  root: string
  build: string
  version: string | null
  signed_in: SignedIn | null
}

const NOTHING: Boot = { root: './', build: '', version: null, signed_in: null }

/** `text`: of the element `#boot`. */
export const readBoot = (text: string | null | undefined): Boot =>
  text ? { ...NOTHING, ...(JSON.parse(text) as Partial<Boot>) } : NOTHING

/** Whether scopes allow what needs `scope`; writing implies reading. */
export function mayUse(scopes: readonly string[], scope: string | undefined): boolean {
  if (scope === undefined || scopes.includes('*') || scopes.includes(scope)) return true
  return scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write'))
}

/** After "needs". */
export const scopeInWords = (scope: string | undefined): string =>
  scope === '*' ? 'all scopes (*)' : `the scope ${scope}`

interface Opened {
  needs?: string
  in: string
}

/** Whether a screen is for who is signed in; on what is their own, their level in the organization has no bearing. */
export const mayOpen = ({ signed_in }: Boot, project: BootProject, { needs, in: place }: Opened): boolean =>
  mayUse(place === 'you' ? (signed_in?.scopes ?? []) : project.scopes, needs)

/** By its id or its token, as an address names it. */
export const findProject = ({ signed_in }: Boot, named: string | undefined): BootProject | undefined =>
  signed_in?.projects.find(({ id, api_token }) => String(id) === named || api_token === named)
