/** Projects: lists those the key may access, creates, changes and removes them with all their data. */
import { type Found, organizationsOf } from '../../http/access/auth.ts'
import type { Remember } from '../../http/route.ts'
import { denied, invalid, notFound } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project, ProjectSettings } from '../../model/accounts/project.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { newProjectToken } from '../../rules/accounts/key-secret.ts'
import { createProject } from '../../rules/accounts/new-project.ts'
import { clearProject, markRemoved } from '../../rules/accounts/project-removal.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'

export interface ProjectsParts {
  stores: Pick<Stores, 'projects' | 'transaction' | 'exclusiveTransaction' | 'relaxed' | 'events' | 'blobs'>
  clock: Clock
  /** The organisation of that id, or `@current`, if the caller may see it. */
  findOrganization: (caller: Caller, id: string) => Promise<{ id: string }>
  /** Where the caller makes projects; null when it may access none. */
  currentOrganization: (caller: Caller) => Found<string>
  /** Cached projects may be out of date. */
  changed: () => void
  /** Called when the data of a removed project could not be deleted at once. */
  uncleared: (projectId: number, error: unknown) => void
}

export const viewProject = (project: Project) => ({
  id: project.id,
  uuid: project.uuid,
  organization: project.organizationId,
  project_id: project.id,
  api_token: project.apiToken,
  name: project.name,
  timezone: project.timezone,
  is_demo: project.isDemo,
  ingested_event: project.ingestedEvent,
  created_at: formatInstant(project.createdAt),
  person_display_name_properties: project.personDisplayNameProperties,
  session_recording_opt_in: project.sessionRecordingOptIn,
  capture_console_log_opt_in: project.captureConsoleLogOptIn,
  session_recording_retention_period: project.sessionRecordingRetentionPeriod,
  session_recording_quota_bytes: project.sessionRecordingQuotaBytes,
  events_retention_days: project.eventsRetentionDays,
  autocapture_exceptions_opt_in: project.autocaptureExceptionsOptIn,
  autocapture_web_vitals_opt_in: project.autocaptureWebVitalsOptIn,
  heatmaps_opt_in: project.heatmapsOptIn,
  capture_dead_clicks: project.captureDeadClicks,
  anonymize_ips: project.anonymizeIps,
})

export type ProjectView = ReturnType<typeof viewProject>

function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw invalid(`"${timezone}" is not a valid choice.`, 'timezone', 'invalid_choice')
  }
}

function changesOf(before: Project, patch: Partial<ProjectSettings>): ActivityChange[] {
  return Object.entries(patch)
    .map(([field, after]) => ({ field, before: before[field as keyof ProjectSettings], after }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
    .map((change) => ({ type: 'Project', action: 'changed', ...change }))
}

interface Note {
  activity: string
  changes: ActivityChange[] | null
}

/** Stored with the organisation, so that the entry of a removed project can still be read. */
const noteProject = (tx: SqlWriters, caller: Caller, project: Project, note: Note, now: number): Promise<void> =>
  tx.activity.add(
    activityEntry(
      {
        projectId: null,
        organizationId: project.organizationId,
        caller,
        scope: 'Project',
        itemId: String(project.id),
        name: project.name,
        ...note,
      },
      now,
    ),
  )

/** Checked before the body is read. */
export function mayMakeProjects({ credential }: Caller): void {
  if (credential.scopedTeams) throw denied('A key confined to projects cannot make another one.')
}

interface PageRequest {
  limit: number
  offset: number
}

export function createProjectsFeature({
  stores,
  clock,
  findOrganization,
  currentOrganization,
  changed,
  uncleared,
}: ProjectsParts) {
  const listIn = async (organizationIds: string[], caller: Caller, search: string | null, page: PageRequest) => {
    const { count, items } = await stores.projects.list(
      { organizationIds, ids: caller.credential.scopedTeams, search },
      page,
    )
    return { count, items: items.map(viewProject) }
  }
  return {
    list: (caller: Caller, search: string | null, page: PageRequest) =>
      listIn(organizationsOf(caller), caller, search, page),
    async listOfOrganization(caller: Caller, organizationId: string, search: string | null, page: PageRequest) {
      const { id } = await findOrganization(caller, organizationId)
      return listIn([id], caller, search, page)
    },
    async create(
      caller: Caller,
      settings: Partial<ProjectSettings> & { name: string },
      remember: Remember,
    ): Promise<ProjectView> {
      checkTimezone(settings.timezone)
      const organizationId = await currentOrganization(caller)
      if (organizationId === null) throw denied('You do not belong to an organization.')
      const now = clock.now()
      return stores.transaction(async (tx) => {
        const made = await createProject(tx, { ...settings, organizationId, createdById: caller.user.id }, now)
        await noteProject(tx, caller, made, { activity: 'created', changes: null }, now)
        const view = viewProject(made)
        await remember(tx, view)
        return view
      })
    },
    async update(caller: Caller, project: Project, patch: Partial<ProjectSettings>): Promise<ProjectView> {
      checkTimezone(patch.timezone)
      const now = clock.now()
      const updated = await stores.transaction(async (tx) => {
        const before = await tx.projects.find(project.id)
        const after = await tx.projects.update(project.id, patch)
        if (!before || !after) throw notFound('Project not found.')
        const changes = changesOf(before, patch)
        if (changes.length > 0) await noteProject(tx, caller, after, { activity: 'updated', changes }, now)
        return after
      })
      changed()
      return viewProject(updated)
    },
    async resetToken(caller: Caller, project: Project): Promise<ProjectView> {
      const now = clock.now()
      const updated = await stores.transaction(async (tx) => {
        const after = await tx.projects.update(project.id, { apiToken: newProjectToken() })
        if (!after) throw notFound('Project not found.')
        await noteProject(tx, caller, after, { activity: 'token_reset', changes: null }, now)
        return after
      })
      changed()
      return viewProject(updated)
    },
    async remove(caller: Caller, project: Project): Promise<void> {
      // Capture that was admitted before has ended by then, so that its data is cleared too.
      await stores.exclusiveTransaction([project.id], async (tx) => {
        const now = clock.now()
        if (!(await markRemoved(tx, project.id, now))) throw notFound('Project not found.')
        await noteProject(tx, caller, project, { activity: 'deleted', changes: null }, now)
      })
      changed()
      // The project is removed already; its job deletes what is left.
      await clearProject(stores, project.id).catch((error: unknown) => uncleared(project.id, error))
    },
  }
}

export type ProjectsFeature = ReturnType<typeof createProjectsFeature>
