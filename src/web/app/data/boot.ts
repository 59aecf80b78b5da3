/** What the page told the app at its start, and what that allows. */
import type { BootData, BootProject, Theme } from '../../../model/accounts/boot-data.ts'

export type { BootData, BootProject, Theme }

const NOTHING: BootData = { root: './', build: '', version: null, signed_in: null }

/** `text`: of the element `#boot`. */
export const readBoot = (text: string | null | undefined): BootData =>
  text ? { ...NOTHING, ...(JSON.parse(text) as Partial<BootData>) } : NOTHING

/** A scope, or several of which any will do. */
export type Needed = string | readonly string[]

/** Whether scopes allow what needs one; writing implies reading. */
export function mayUse(scopes: readonly string[], scope: Needed | undefined): boolean {
  if (scope === undefined || scopes.includes('*')) return true
  if (typeof scope !== 'string') return scope.some((one) => mayUse(scopes, one))
  if (scopes.includes(scope)) return true
  return scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write'))
}

/** After "needs". */
export const scopeInWords = (scope: Needed | undefined): string =>
  scope === '*' ? 'all scopes (*)' : `the scope ${[scope].flat().join(' or ')}`

interface Opened {
  needs?: Needed
  in: string
}

/** Whether a screen is for who is signed in; on what is their own, their level in the organization has no bearing. */
export const mayOpen = ({ signed_in }: BootData, project: BootProject, { needs, in: place }: Opened): boolean =>
  mayUse(place === 'you' ? (signed_in?.scopes ?? []) : project.scopes, needs)

/** By its id or its token, as an address names it. */
export const findProject = ({ signed_in }: BootData, named: string | undefined): BootProject | undefined =>
  signed_in?.projects.find(({ id, api_token }) => String(id) === named || api_token === named)
