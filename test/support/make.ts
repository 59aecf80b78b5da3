/** Builders: plain defaults, created through the stores as the product creates them. */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../src/lib/ids.ts'
import type { Project } from '../../src/model/accounts/project.ts'
import type { StoredEvent } from '../../src/model/events/stored-event.ts'
import type { Person, Properties } from '../../src/model/persons/person.ts'
import type { NewRecording, Recording } from '../../src/model/recordings/recording.ts'
import type { Stores } from '../../src/model/stores.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../../src/rules/accounts/key-secret.ts'
import { createProject } from '../../src/rules/accounts/new-project.ts'
import { personUuid } from '../../src/rules/persons/identity.ts'
import { historyOf, mappingOf, projectionOf, sendPeopleChange } from '../../src/rules/persons/people-change.ts'
import { expiryOf, recordingFolder } from '../../src/rules/recordings/recording.ts'
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
    await tx.persons.addHistory(projectId, [historyOf(person.id, set, createdAt, seq)])
    const persons = [projectionOf(person, createdAt)]
    await sendPeopleChange(tx, { seq, persons, distinctIds: mappingOf(person) }, clock.now())
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
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))]
  await stores.peopleTransaction(projectIds, async (tx) => {
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

/** A key of the first user; returns its secret. */
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
    const first = await tx.projects.find(1)
    return createProject(tx, { name, organizationId: first?.organizationId ?? '', createdById: 1 }, clock.now())
  })
}

/** A user in an organisation of its own, with a project and a key: nothing of it belongs to the first user. */
export async function makeStranger({
  stores,
  clock,
}: Host): Promise<{ key: string; project: Project; userId: number }> {
  counter += 1
  const made = await stores.transaction(async (tx) => {
    const organizationId = randomUUID()
    await tx.users.createOrganization({ id: organizationId, name: 'Strangers', createdAt: clock.now() })
    const user = await tx.users.create({
      uuid: randomUUID(),
      distinctId: randomUUID(),
      email: `stranger-${counter}@example.com`,
      firstName: 'Some',
      lastName: 'Stranger',
      currentProjectId: null,
      createdAt: clock.now(),
    })
    await tx.users.addMember(organizationId, user.id, 15)
    const input = { name: 'Their project', organizationId, createdById: user.id }
    const project = await createProject(tx, input, clock.now())
    await tx.users.update(user.id, { currentProjectId: project.id })
    return { project, userId: user.id }
  })
  return { ...made, key: await makeKey({ stores, clock }, { userId: made.userId }) }
}

export interface RecordingInput extends Partial<Omit<NewRecording, 'expiresAt' | 'counters'>> {
  counters?: Partial<NewRecording['counters']>
  /** Contents of its one block; none: it has no bytes. */
  bytes?: string
  /** Of that block. */
  fullSnapshots?: string | null
}

/** A recording as replay intake leaves one: bytes first, then its row. It began an hour ago and lasted 32.871 s. */
export async function makeRecording({ stores, clock }: Host, input: RecordingInput = {}): Promise<Recording> {
  const { bytes, fullSnapshots = '', counters, ...given } = input
  const projectId = given.projectId ?? 1
  const startAt = given.startAt ?? clock.now() - 3_600_000
  const sessionId = given.sessionId ?? uuidV7(startAt)
  const endAt = given.endAt ?? startAt + 32_871
  const retentionDays = given.retentionDays ?? 30
  const recording: NewRecording = {
    distinctId: 'user-1',
    activeMs: 14_779,
    startUrl: 'https://example.com/pricing?plan=pro',
    snapshotSource: 'web',
    snapshotLibrary: 'web',
    totalSize: 184_320,
    eventCount: 169,
    lastIngestAt: endAt + 2_000,
    ...given,
    projectId,
    sessionId,
    startAt,
    endAt,
    retentionDays,
    expiresAt: expiryOf(startAt, retentionDays),
    counters: {
      clicks: 14,
      keypresses: 36,
      mouseActivity: 83,
      consoleLogs: 12,
      consoleWarns: 4,
      consoleErrors: 4,
      ...counters,
    },
  }
  const blobKey = `${recordingFolder(projectId, sessionId)}0`
  if (bytes !== undefined) await stores.blobs.append(blobKey, Buffer.from(bytes), 0)
  const place = { blobKey, offset: 0, length: bytes?.length ?? 0 }
  const block = { ...place, index: 0, firstAt: startAt, lastAt: endAt, follows: null, fullSnapshots }
  const made = await stores.transaction((tx) => tx.recordings.create(recording, bytes === undefined ? [] : [block]))
  if (!made) throw new Error('The session has a recording already.')
  return { ...recording, personId: null, analyzed: false, sharedAt: null }
}
