/** Users and the organisations they belong to. Managed on the command line, but for what is a user's own. */

export interface Organization {
  id: string
  name: string
  createdAt: number
}

/** What a member may do: 15 owner, 8 admin, 1 member, 0 viewer (see http/access/levels.ts). */
export type MemberLevel = 15 | 8 | 1 | 0

export type ThemeMode = 'light' | 'dark'

export interface Membership {
  organizationId: string
  level: MemberLevel
}

export interface User {
  id: number
  uuid: string
  distinctId: string
  email: string
  firstName: string
  lastName: string
  isEmailVerified: boolean
  /** A removed user stays as an author, but none of its keys work. */
  isActive: boolean
  currentProjectId: number | null
  /** Null: as the system. */
  themeMode: ThemeMode | null
  createdAt: number
}

interface NewUser {
  uuid: string
  distinctId: string
  email: string
  firstName: string
  lastName: string
  currentProjectId: number | null
  createdAt: number
}

export interface UserPatch {
  firstName?: string
  lastName?: string
  currentProjectId?: number | null
  themeMode?: ThemeMode | null
  isActive?: boolean
}

export interface UserReader {
  find(id: number): Promise<User | null>
  /** Active users only; e-mail is compared case-insensitively. */
  findByEmail(email: string): Promise<User | null>
  /** Those of `ids` that exist, in no order. */
  findMany(ids: number[]): Promise<User[]>
  /** Active ones, by id. */
  list(): Promise<User[]>
  /** The oldest organisation first. */
  memberships(userId: number): Promise<Membership[]>
  /** Of active users, by id. */
  members(organizationId: string): Promise<{ userId: number; level: MemberLevel }[]>
  /** Null: the user has none. */
  passwordHash(userId: number): Promise<string | null>
  /** Whether any active user has a password. */
  havePasswords(): Promise<boolean>
  findOrganization(id: string): Promise<Organization | null>
  listOrganizations(): Promise<Organization[]>
}

export interface UserWriter extends UserReader {
  create(user: NewUser): Promise<User>
  update(id: number, patch: UserPatch): Promise<User | null>
  setPassword(userId: number, hash: string): Promise<void>
  createOrganization(organization: Organization): Promise<void>
  /** Who is a member already has this level from now on. */
  addMember(organizationId: string, userId: number, level: MemberLevel): Promise<void>
  /** False when the user was not a member. The last membership may be removed too. */
  removeMember(organizationId: string, userId: number): Promise<boolean>
  removeMemberships(userId: number): Promise<void>
}
