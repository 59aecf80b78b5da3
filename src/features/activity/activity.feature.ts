/** The activity log, newest first: of a project, of all its persons, or of one of them. */
import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { walkPage, walkPages } from '../../lib/lists/walk-pages.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Activity, ActivityFilter } from '../../model/accounts/activity.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { User } from '../../model/accounts/user.ts'
import type { PageRequest } from '../../model/page.ts'
import type { Stores } from '../../model/stores.ts'
import { canUndo } from '../../rules/activity/undoable.ts'

export interface ActivityParts {
  stores: Pick<Stores, 'activity' | 'users'>
  /** The integer id of the person that `id` addresses; throws when there is none. */
  personId: (project: Project, id: string) => Promise<number>
}

export interface LogQuery {
  scope?: string
  item_id?: string
  user?: string
}

function viewAuthor(userId: number | null, user: User | undefined) {
  if (userId === null) return { first_name: 'System', email: null, is_system: true }
  if (!user) return { first_name: '', email: null }
  return { id: user.id, uuid: user.uuid, first_name: user.firstName, email: user.email }
}

const viewEntry = (entry: Activity, users: Map<number, User>) => ({
  id: entry.id,
  user: viewAuthor(entry.userId, users.get(entry.userId ?? 0)),
  activity: entry.activity,
  scope: entry.scope,
  item_id: entry.itemId,
  detail: entry.detail,
  created_at: formatInstant(entry.createdAt),
  can_undo: canUndo(entry),
})

export type ActivityView = ReturnType<typeof viewEntry>

/** A user is given by integer id or by UUID. */
function readUser(text: string): NonNullable<ActivityFilter['user']> {
  const uuid = readUuid(text)
  if (uuid) return { uuid }
  const id = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return { id }
  throw invalid('Must be the id or the UUID of a user.', 'user')
}

/** Entries about the organisation as a whole are shown only to keys that are not limited to projects. */
const logFilter = (project: Project, caller: Caller, query: LogQuery): ActivityFilter => ({
  projectId: project.id,
  ...(caller.credential.scopedTeams === null ? { organizationId: project.organizationId } : {}),
  ...(query.scope ? { scope: query.scope } : {}),
  ...(query.item_id ? { itemId: query.item_id } : {}),
  ...(query.user ? { user: readUser(query.user) } : {}),
})

export function createActivityFeature({ stores, personId }: ActivityParts) {
  const view = async (entries: Activity[]): Promise<ActivityView[]> => {
    const ids = new Set(entries.map((entry) => entry.userId).filter((id) => id !== null))
    const users = await stores.users.findMany([...ids])
    const byId = new Map(users.map((user) => [user.id, user]))
    return entries.map((entry) => viewEntry(entry, byId))
  }
  /** The entries that match a filter: a page of them, or all. */
  const entriesOf = (filter: ActivityFilter) => ({
    async page(request: PageRequest) {
      const { total, items } = await stores.activity.page(filter, request)
      return { total, items: await view(items) }
    },
    /** One page, however large. */
    walkPage: (request: PageRequest) =>
      walkPage(async (part) => view((await stores.activity.page(filter, part)).items), request),
    walk: walkPages<Activity, ActivityView>((after, limit) => stores.activity.pageAfter(filter, after, limit), view),
  })
  return {
    /** Including persons that are already deleted. */
    ofPersons: (project: Project) => entriesOf({ projectId: project.id, scope: 'Person' }),
    async ofPerson(project: Project, id: string) {
      return entriesOf({ projectId: project.id, scope: 'Person', itemId: String(await personId(project, id)) })
    },
    ofProject: (project: Project, caller: Caller, query: LogQuery) => entriesOf(logFilter(project, caller, query)),
  }
}

export type ActivityFeature = ReturnType<typeof createActivityFeature>
export type ActivityEntries = ReturnType<ActivityFeature['ofPersons']>
