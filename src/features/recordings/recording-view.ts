/** Stored recordings as the API shows them: with their person and their viewers. One look-up each per page. */
import { formatInstant, formatOptional, MINUTE } from '../../lib/time/time.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Person } from '../../model/persons/person.ts'
import type { Recording } from '../../model/recordings/recording.ts'
import type { SqlReaders } from '../../model/stores.ts'
import { createPageSizeLimit } from '../../rules/filters/page-size-limit.ts'
import { personUuid } from '../../rules/persons/identity.ts'
import { personName } from '../../rules/persons/person-name.ts'
import { daysLeft } from '../../rules/recordings/recording.ts'
import { activityScore, durations } from './activity-score.ts'

const ONGOING = 5 * MINUTE

type Readers = Pick<SqlReaders, 'persons' | 'recordings' | 'users'>

/** For whom and when. */
export interface Viewpoint extends Actor {
  now: number
}

interface Owned {
  recording: Recording
  person: Person | null
}

/**
 * Each recording with its person: the one it was assigned to, else the owner of its distinct id. The list ends where
 * persons would make the page too large; one after the other, as a person may be large.
 */
async function withOwners(persons: Readers['persons'], projectId: number, recordings: Recording[]): Promise<Owned[]> {
  const known = new Map<number | string, Person | null>()
  const fits = createPageSizeLimit()
  const owned: Owned[] = []
  for (const recording of recordings) {
    const { personId, distinctId } = recording
    const key = personId ?? distinctId
    let person = known.get(key)
    if (person === undefined) {
      person = await (personId === null
        ? persons.findByDistinctId(projectId, distinctId)
        : persons.find(projectId, { id: personId }))
      known.set(key, person)
    }
    if (person && !fits(person.properties)) break
    owned.push({ recording, person })
  }
  return owned
}

/** Without a stored person: a stub with the uuid that a person of this distinct id would get. */
function viewOwner(project: Project, { distinctId }: Recording, person: Person | null) {
  return {
    id: person?.id ?? null,
    name: person && personName(person, project.personDisplayNameProperties),
    distinct_ids: distinctId,
    properties: person?.properties ?? {},
    created_at: formatOptional(person?.createdAt ?? null),
    uuid: person?.uuid ?? personUuid(project.id, distinctId),
  }
}

/** Ids of the users that have seen each recording, and their names. */
async function viewersOf({ recordings, users }: Readers, projectId: number, sessionIds: string[]) {
  const views = await recordings.viewsOf(projectId, sessionIds)
  const known = await users.findMany([...new Set(views.map((view) => view.userId))])
  const emails = new Map(known.map((user) => [user.id, user.email]))
  const viewers = new Map<string, { userId: number; email: string }[]>(sessionIds.map((id) => [id, []]))
  for (const { sessionId, userId } of views) {
    viewers.get(sessionId)?.push({ userId, email: emails.get(userId) ?? 'deleted user' })
  }
  return (sessionId: string) => viewers.get(sessionId) ?? []
}

function viewNumbers(recording: Recording) {
  const { counters } = recording
  const { duration, active, inactive } = durations(recording)
  return {
    recording_duration: duration,
    active_seconds: active,
    inactive_seconds: inactive,
    start_time: formatInstant(recording.startAt),
    end_time: formatInstant(recording.endAt),
    click_count: counters.clicks,
    keypress_count: counters.keypresses,
    mouse_activity_count: counters.mouseActivity,
    console_log_count: counters.consoleLogs,
    console_warn_count: counters.consoleWarns,
    console_error_count: counters.consoleErrors,
    start_url: recording.startUrl,
  }
}

/** Fewer than given, but at least one, where their persons are large. */
export async function viewRecordings(stores: Readers, { project, caller, now }: Viewpoint, recordings: Recording[]) {
  const owned = await withOwners(stores.persons, project.id, recordings)
  const ids = owned.map(({ recording }) => recording.sessionId)
  const viewers = await viewersOf(stores, project.id, ids)
  return owned.map(({ recording, person }) => {
    const seen = viewers(recording.sessionId)
    return {
      id: recording.sessionId,
      distinct_id: recording.distinctId,
      viewed: seen.some((viewer) => viewer.userId === caller.user.id),
      ...viewNumbers(recording),
      person: viewOwner(project, recording, person),
      storage: recording.sharedAt === null ? ('object_storage' as const) : ('object_storage_lts' as const),
      snapshot_source: recording.snapshotSource,
      ongoing: now - recording.lastIngestAt <= ONGOING,
      activity_score: activityScore(recording),
      viewers: seen.filter((viewer) => viewer.userId !== caller.user.id).map((viewer) => viewer.email),
      retention_period_days: recording.retentionDays,
      expiry_time: formatInstant(recording.expiresAt),
      recording_ttl: daysLeft(recording.expiresAt, now),
      snapshot_library: recording.snapshotLibrary,
      total_size: recording.totalSize,
      event_count: recording.eventCount,
    }
  })
}

export type RecordingView = Awaited<ReturnType<typeof viewRecordings>>[number]

/** All that a sharing token shows. */
export const viewShared = (recording: Recording) => ({
  id: recording.sessionId,
  recording_duration: durations(recording).duration,
  start_time: formatInstant(recording.startAt),
  end_time: formatInstant(recording.endAt),
})
