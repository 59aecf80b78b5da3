/**
 * `--demo`: fills a project of its own with the example shop, through the stores as capture will. Once: a second
 * start finds the project and leaves it alone.
 */
import { uuidV7 } from '../lib/ids.ts'
import { DAY } from '../lib/time.ts'
import type { Caller } from '../model/caller.ts'
import type { Person } from '../model/person.ts'
import type { Project } from '../model/project.ts'
import type { SqlWriters, Stores } from '../model/stores.ts'
import { personUuid } from '../rules/identity.ts'
import { createProject } from '../rules/new-project.ts'
import { historyOf, mappingOf, projectionOf } from '../rules/people-change.ts'
import { expiryOf, RETENTION_DAYS } from '../rules/recording.ts'
import { createDice } from './random.ts'
import { type DemoPerson, type DemoSession, type DemoShop, makeShop } from './shop.ts'

export interface DemoParts {
  stores: Stores
  now: number
  /** Makes a subscription as the API does. */
  subscribe: (actor: { project: Project; caller: Caller }, body: unknown) => Promise<unknown>
}

const RECORDINGS = 5

async function addPerson(tx: SqlWriters, projectId: number, person: DemoPerson, seq: number): Promise<Person> {
  const { distinctIds, properties, isIdentified, createdAt } = person
  const uuid = personUuid(projectId, distinctIds[0] ?? '')
  const made = await tx.persons.create({ projectId, uuid, properties, isIdentified, createdAt }, distinctIds)
  const set = Object.entries(properties).map(([key, after]) => ({ key, before: undefined, after }))
  await tx.persons.addHistory(projectId, historyOf(made.id, set, createdAt, seq))
  return made
}

/** The longest of the latest visits, so that the list of the last days has something to show. */
const recorded = (sessions: DemoSession[]): DemoSession[] =>
  [...sessions].sort((a, b) => b.startAt - a.startAt).slice(0, RECORDINGS)

async function addRecordings(tx: SqlWriters, project: Project, sessions: DemoSession[]): Promise<void> {
  const dice = createDice(7)
  const retentionDays = RETENTION_DAYS[project.sessionRecordingRetentionPeriod]
  for (const { sessionId, distinctId, startAt, endAt, startUrl } of recorded(sessions)) {
    const clicks = dice.between(3, 30)
    await tx.recordings.create(
      {
        projectId: project.id,
        sessionId,
        distinctId,
        startAt,
        endAt,
        activeMs: Math.floor((endAt - startAt) * (0.3 + dice.next() / 2)),
        counters: {
          clicks,
          keypresses: dice.between(0, 60),
          mouseActivity: clicks + dice.between(20, 200),
          consoleLogs: dice.between(0, 12),
          consoleWarns: dice.between(0, 3),
          consoleErrors: dice.between(0, 2),
        },
        startUrl,
        snapshotSource: 'web',
        snapshotLibrary: 'web',
        totalSize: 0,
        eventCount: 0,
        retentionDays,
        expiresAt: expiryOf(startAt, retentionDays),
        lastIngestAt: endAt,
      },
      [],
    )
  }
}

async function fill(tx: SqlWriters, organizationId: string, shop: DemoShop, createdById: number, now: number) {
  const project = await createProject(tx, { name: 'Demo shop', organizationId, createdById, isDemo: true }, now)
  const seq = await tx.outbox.nextSeq()
  const people: Person[] = []
  for (const person of shop.people) people.push(await addPerson(tx, project.id, person, seq))
  await addRecordings(tx, project, shop.sessions)
  const batch = {
    id: uuidV7(now),
    seq,
    events: shop.events.map((event) => ({ ...event, projectId: project.id })),
    persons: people.map((person) => projectionOf(person)),
    distinctIds: people.flatMap((person) => mappingOf(person)),
  }
  await tx.outbox.add(batch, now)
  return project
}

async function firstCaller(stores: Stores): Promise<Caller> {
  const [user] = await stores.users.list()
  const [key] = user ? await stores.keys.listOfUser(user.id) : []
  if (!user || !key) throw new Error('The demo needs a user with a key; "hedgerow keys create" makes one.')
  return { user, key, organizationIds: await stores.users.organizationIds(user.id) }
}

/** The demo project, and whether it was made just now. */
export async function addDemo({ stores, now, subscribe }: DemoParts): Promise<{ project: Project; made: boolean }> {
  const all = { organizationIds: null, ids: null, search: null }
  const { items } = await stores.projects.list(all, { limit: 10_000, offset: 0 })
  const there = items.find((project) => project.isDemo)
  if (there) return { project: there, made: false }
  const caller = await firstCaller(stores)
  const [organizationId = ''] = caller.organizationIds
  const project = await stores.transaction((tx) => fill(tx, organizationId, makeShop(now), caller.user.id, now))
  const start_date = new Date(Math.ceil(now / DAY) * DAY).toISOString()
  const mail = { target_type: 'email', target_value: 'team@example.com', start_date }
  await subscribe({ project, caller }, { ...mail, frequency: 'weekly', byweekday: ['monday'], title: 'Weekly numbers' })
  await subscribe({ project, caller }, { ...mail, frequency: 'daily', title: 'Daily numbers' })
  return { project, made: true }
}
