/**
 * `--demo`: fills a separate project with the example shop, through the normal code paths: events through
 * capture, recordings through replay, subscriptions as the API creates them. Once: a second start finds the project
 * and leaves it unchanged. The project is named as unfinished until everything is in; one that still has that name
 * was interrupted, and is removed and created again.
 */
import { OperatorError } from '../lib/errors.ts'
import { HOUR } from '../lib/time/time.ts'
import type { Actor, Caller } from '../model/accounts/caller.ts'
import type { Project } from '../model/accounts/project.ts'
import type { Stores } from '../model/stores.ts'
import { keyCredential } from '../rules/accounts/key-credential.ts'
import { createProject } from '../rules/accounts/new-project.ts'
import { clearProject, markRemoved } from '../rules/accounts/project-removal.ts'
import { recordingRequest } from './recording.ts'
import { makeShop, type ShopVisit } from './shop.ts'

export interface DemoParts {
  stores: Stores
  now: number
  /** Captures events as an SDK sends them. */
  capture: (request: { token: string; sentAt: null; items: unknown[] }) => Promise<unknown>
  /** Stores the body of a replay request. */
  record: (body: unknown) => Promise<unknown>
  /** Makes a subscription as the API does. */
  subscribe: (actor: Actor, body: unknown) => Promise<unknown>
  /** The operator's own address, to which a report is sent each day; null where no mail can be sent. */
  reportTo: string | null
  progress: (line: string) => void
}

const NAME = 'Demo shop'
const UNFINISHED_NAME = 'Demo shop (unfinished)'
const RECORDINGS = 6
const BATCH = 1_000

async function firstCaller(stores: Stores): Promise<Caller> {
  const [user] = await stores.users.list()
  const [key] = user ? await stores.keys.listOfUser(user.id) : []
  if (!user || !key) throw new OperatorError('The demo needs a user with a key; "hedgerow keys create" makes one.')
  return { user, credential: keyCredential(key), memberships: await stores.users.memberships(user.id) }
}

async function findDemos(stores: Stores): Promise<Project[]> {
  const all = { organizationIds: null, ids: null, search: null }
  const { items } = await stores.projects.list(all, { limit: 10_000, offset: 0 })
  return items.filter((project) => project.isDemo)
}

async function removeUnfinished({ stores, now, progress }: DemoParts, { id }: Project): Promise<void> {
  progress('Demo: it was interrupted before and is made anew')
  await stores.transaction((tx) => markRemoved(tx, id, now))
  await clearProject(stores, id)
}

/** The latest visits that are long enough to be worth watching. */
const recorded = (visits: ShopVisit[]): ShopVisit[] =>
  visits
    .filter(({ startAt, endAt }) => endAt - startAt > 30_000)
    .sort((a, b) => b.startAt - a.startAt)
    .slice(0, RECORDINGS)

async function addRecordings({ stores, record }: DemoParts, project: Project, visits: ShopVisit[]): Promise<void> {
  for (const [number, visit] of recorded(visits).entries()) {
    await record(recordingRequest(project.apiToken, visit, number))
    // As if it had come while the visitor was there: a recording to which data comes now is shown as ongoing.
    const patch = { lastIngestAt: visit.endAt }
    await stores.transaction((tx) => tx.recordings.update(project.id, visit.sessionId, patch))
  }
}

/** One that runs and one that is paused. */
async function addSubscriptions({ subscribe, reportTo, now }: DemoParts, actor: Actor): Promise<void> {
  const start_date = new Date(Math.ceil(now / HOUR) * HOUR + HOUR).toISOString()
  const mail = { target_type: 'email', start_date }
  // The owner of that address did not ask for it.
  const weekly = { target_value: 'team@example.com', enabled: false, frequency: 'weekly', byweekday: ['monday'] }
  await subscribe(actor, { ...mail, ...weekly, title: 'Weekly numbers' })
  // Without a mail server its history says what is missing; nobody has an address that ends in "invalid".
  const daily = { target_value: reportTo ?? 'you@example.invalid', frequency: 'daily' }
  await subscribe(actor, { ...mail, ...daily, title: 'Daily numbers' })
}

async function fill(parts: DemoParts, project: Project, caller: Caller): Promise<void> {
  const { capture, progress, now } = parts
  const { events, visits } = makeShop(now)
  for (let start = 0; start < events.length; start += BATCH) {
    await capture({ token: project.apiToken, sentAt: null, items: events.slice(start, start + BATCH) })
    progress(`Demo: ${Math.min(start + BATCH, events.length)} of ${events.length} events`)
  }
  await addRecordings(parts, project, visits)
  await addSubscriptions(parts, { project, caller })
}

/** The demo project, with everything in it. */
export async function addDemo(parts: DemoParts): Promise<Project> {
  const { stores, now } = parts
  const there = await findDemos(stores)
  const finished = there.find((project) => project.name !== UNFINISHED_NAME)
  if (finished) return finished
  const caller = await firstCaller(stores)
  const organizationId = caller.memberships[0]?.organizationId
  if (organizationId === undefined) throw new OperatorError('The demo needs a first user who is in an organization.')
  for (const unfinished of there) await removeUnfinished(parts, unfinished)
  const settings = { name: UNFINISHED_NAME, organizationId, createdById: caller.user.id, isDemo: true }
  const project = await stores.transaction((tx) => createProject(tx, settings, now))
  await fill(parts, project, caller)
  return (await stores.transaction((tx) => tx.projects.update(project.id, { name: NAME }))) ?? project
}
