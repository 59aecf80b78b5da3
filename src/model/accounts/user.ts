/** Users and the organisations they belong to. Managed on the command line. */

export interface Organization {
  id: string
  name: string
  createdAt: number
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
  /** Ids of the organisations the user belongs to. */
  organizationIds(userId: number): Promise<string[]>
  findOrganization(id: string): Promise<Organization | null>
  listOrganizations(): Promise<Organization[]>
}

export interface UserWriter extends UserReader {
  create(user: NewUser): Promise<User>
  update(id: number, patch: UserPatch): Promise<User | null>
  createOrganization(organization: Organization): Promise<void>
  /** Idempotent. */
  addMember(organizationId: string, userId: number): Promise<void>
  /** False when the user was not a member. The last membership may be removed too. */
  removeMember(organizationId: string, userId: number): Promise<boolean>
  removeMemberships(userId: number): Promise<void>
}
