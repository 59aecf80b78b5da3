/** Builders: plain defaults, made through the stores as the product makes them. */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../src/lib/ids.ts'
import type { StoredEvent } from '../../src/model/event.ts'
import type { Person, Properties } from '../../src/model/person.ts'
import type { Project } from '../../src/model/project.ts'
import type { Stores } from '../../src/model/stores.ts'
import { personUuid } from '../../src/rules/identity.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../../src/rules/key-secret.ts'
import { createProject } from '../../src/rules/new-project.ts'
import { historyOf, mappingOf, projectionOf, sendPeopleChange } from '../../src/rules/people-change.ts'
import type { TestApp } from './app.ts'

type Host = Pick<TestApp, 'clock'> & { stores: Stores }

let counter = 0

export interface PersonInput {
  projectId?: number
  distinctIds?: string[]
  properties?: Properties
  createdAt?: number
  isIdentified?: boolean
}

/** A person with its history and projection, as capture leaves one. */
export async function makePerson({ stores, clock }: Host, input: PersonInput = {}): Promise<Person> {
  counter += 1
  const { projectId = 1, distinctIds = [`user-${counter}`], properties = {}, isIdentified = true } = input
  const createdAt = input.createdAt ?? clock.now()
  return stores.transaction(async (tx) => {
    const uuid = personUuid(projectId, distinctIds[0] ?? randomUUID())
    const person = await tx.persons.create({ projectId, uuid, properties, isIdentified, createdAt }, distinctIds)
    const seq = await tx.outbox.nextSeq()
    const set = Object.entries(properties).map(([key, after]) => ({ key, before: undefined, after }))
    await tx.persons.addHistory(projectId, historyOf(person.id, set, createdAt, seq))
    await sendPeopleChange(tx, { seq, persons: [projectionOf(person)], distinctIds: mappingOf(person) }, clock.now())
    return person
  })
}

export type EventInput = Partial<Omit<StoredEvent, 'seq'>>

/** Events as capture stores them: through the outbox. */
export async function makeEvents({ stores, clock }: Host, inputs: EventInput[]): Promise<void> {
  const events = inputs.map((input) => ({
    projectId: 1,
    uuid: randomUUID(),
    event: '$pageview',
    distinctId: 'user-1',
    timestamp: clock.now(),
    sessionId: null,
    properties: {},
    ...input,
  }))
  await stores.transaction(async (tx) => {
    const seq = await tx.outbox.nextSeq()
    await tx.outbox.add({ id: uuidV7(clock.now()), seq, events, persons: [], distinctIds: [] }, clock.now())
  })
}

export interface KeyInput {
  scopes?: string[]
  userId?: number
  scopedTeams?: number[] | null
  scopedOrganizations?: string[] | null
  expiresAt?: number | null
}

/** A key of the first user; gives its secret. */
export async function makeKey({ stores, clock }: Host, input: KeyInput = {}): Promise<string> {
  const secret = newKeySecret()
  const key = {
    id: newKeyId(),
    userId: input.userId ?? 1,
    label: 'Test',
    maskValue: maskKey(secret),
    scopes: input.scopes ?? ['*'],
    scopedTeams: input.scopedTeams ?? null,
    scopedOrganizations: input.scopedOrganizations ?? null,
    createdAt: clock.now(),
    lastUsedAt: null,
    lastRolledAt: null,
    expiresAt: input.expiresAt ?? null,
  }
  await stores.transaction((tx) => tx.keys.create(key, hashKey(secret)))
  return secret
}

/** A second project in the first organisation. */
export async function makeProject({ stores, clock }: Host, name = 'Second project'): Promise<Project> {
  return stores.transaction(async (tx) => {
    const [organization] = await tx.users.listOrganizations()
    return createProject(tx, { name, organizationId: organization?.id ?? '' }, clock.now())
  })
}

/** A user in an organisation of its own, with a project and a key: nothing of it is the first user's. */
export async function makeStranger({
  stores,
  clock,
}: Host): Promise<{ key: string; project: Project; userId: number }> {
  counter += 1
  const made = await stores.transaction(async (tx) => {
    const organizationId = randomUUID()
    await tx.users.createOrganization({ id: organizationId, name: 'Strangers', createdAt: clock.now() })
    const project = await createProject(tx, { name: 'Their project', organizationId }, clock.now())
    const user = await tx.users.create({
      uuid: randomUUID(),
      distinctId: randomUUID(),
      email: `stranger-${counter}@example.com`,
      firstName: 'Some',
      lastName: 'Stranger',
      currentProjectId: project.id,
      createdAt: clock.now(),
    })
    await tx.users.addMember(organizationId, user.id)
    return { project, userId: user.id }
  })
  return { ...made, key: await makeKey({ stores, clock }, { userId: made.userId }) }
}
