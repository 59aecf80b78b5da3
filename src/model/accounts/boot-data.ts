/**
 * What the page of the web app tells it at its start, so that it need not ask: who is signed in, and what they may do. It
 * has the names of the API.
 */
import type { ThemeMode } from './user.ts'

export type Theme = ThemeMode | 'system'

export interface BootProject {
  id: number
  name: string
  api_token: string
  timezone: string
  /** The id of its organization. */
  organization: string
  /** It has taken an event. */
  ingested_event: boolean
  /** The user's level in that organization: 15 owner, 8 admin, 1 member, 0 viewer. */
  level: number
  /** What the sign-in may do in this project; `*` is everything. */
  scopes: string[]
}

export interface SignedIn {
  user: { uuid: string; email: string; first_name: string; last_name: string }
  /** What they prove with who they are, when they are asked again: before they change keys, say. */
  via: 'password' | 'key'
  theme_mode: Theme
  /** What the sign-in may do with what is the user's own: keys, say. */
  scopes: string[]
  /** What `@current` means for them. */
  current_project: number | null
  /** By id; not all of them where they are many. */
  projects: BootProject[]
  /** How many there are. */
  project_count: number
}

export interface BootData {
  /** From the page to the root of the server. */
  root: string
  /** Changes with every build of the app. */
  build: string
  /** Of the server; for those who are signed in only. */
  version: string | null
  signed_in: SignedIn | null
}
