/**
 * What an empty store needs before it can be used: an organisation, a user, project 1 with its dashboard, and a key with
 * scope `*`. Runs in one transaction, so that of two concurrent first starts only one creates them.
 */
import { randomUUID } from 'node:crypto'
import { randomBase62 } from '../../lib/ids.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from './key-secret.ts'
import { createProject } from './new-project.ts'

export interface BootstrapInput {
  apiKey: string | null
  projectToken: string | null
}

export interface Bootstrapped {
  project: Project
  /** The key, if the server generated it; one set by the operator is not repeated. */
  madeKey: string | null
}

/** Null when the store was not empty. */
export async function bootstrap(tx: SqlWriters, input: BootstrapInput, now: number): Promise<Bootstrapped | null> {
  if ((await tx.users.listOrganizations()).length > 0) return null
  const organizationId = randomUUID()
  await tx.users.createOrganization({ id: organizationId, name: 'Default organization', createdAt: now })
  const user = await tx.users.create({
    uuid: randomUUID(),
    distinctId: randomBase62(128),
    email: 'admin@localhost',
    firstName: 'Admin',
    lastName: '',
    currentProjectId: null,
    createdAt: now,
  })
  await tx.users.addMember(organizationId, user.id, 15)
  const token = input.projectToken === null ? {} : { apiToken: input.projectToken }
  const project = await createProject(
    tx,
    { name: 'Default project', organizationId, createdById: user.id, ...token },
    now,
  )
  await tx.users.update(user.id, { currentProjectId: project.id })
  const secret = input.apiKey ?? newKeySecret()
  const key = {
    id: newKeyId(),
    userId: user.id,
    label: 'First key',
    maskValue: maskKey(secret),
    scopes: ['*'],
    scopedTeams: null,
    scopedOrganizations: null,
    createdAt: now,
    lastUsedAt: null,
    lastRolledAt: null,
    expiresAt: null,
  }
  await tx.keys.create(key, hashKey(secret))
  return { project, madeKey: input.apiKey === null ? secret : null }
}
