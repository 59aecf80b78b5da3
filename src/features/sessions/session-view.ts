/** Sessions as the API shows them, each with a small view of its person and of its recording. */
import { formatInstant, SECOND } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Session } from '../../model/events/session.ts'
import type { Recording } from '../../model/recordings/recording.ts'
import type { SqlReaders } from '../../model/stores.ts'
import { viewOwners } from '../../rules/persons/owner-view.ts'
import { SESSION_PROPERTIES } from './session-properties.ts'

const viewRecording = ({ startAt, endAt, activeMs, expiresAt }: Recording) => ({
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
  recording_duration: Math.floor((endAt - startAt) / SECOND),
  active_seconds: Math.floor(activeMs / SECOND),
  expiry_time: formatInstant(expiresAt),
})

/** Every session property, null where there is none. */
function viewProperties({ startAt, endAt, properties }: Session) {
  const all: Session['properties'] = {
    ...properties,
    $start_timestamp: formatInstant(startAt),
    $end_timestamp: formatInstant(endAt),
  }
  return Object.fromEntries(SESSION_PROPERTIES.map(({ name }) => [name, all[name] ?? null]))
}

export async function viewSessions(
  { persons, recordings }: Pick<SqlReaders, 'persons' | 'recordings'>,
  project: Project,
  sessions: Session[],
  now: number,
) {
  const ids = sessions.map(({ sessionId }) => sessionId)
  const recorded = new Map((await recordings.findMany(project.id, ids, now)).map((one) => [one.sessionId, one]))
  const distinctIds = sessions.map(({ distinctId }) => distinctId)
  const owners = await viewOwners(persons, project, distinctIds)
  return sessions.map((session) => {
    const recording = recorded.get(session.sessionId)
    return {
      id: session.sessionId,
      distinct_id: session.distinctId,
      person: owners.get(session.distinctId) ?? null,
      start_time: formatInstant(session.startAt),
      end_time: formatInstant(session.endAt),
      duration: session.properties.$session_duration as number,
      has_recording: recording !== undefined,
      recording: recording ? viewRecording(recording) : null,
      properties: viewProperties(session),
    }
  })
}

export type SessionView = Awaited<ReturnType<typeof viewSessions>>[number]
