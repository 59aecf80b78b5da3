/** How long a recording is kept and where its bytes are stored; for all code that creates, shows or removes one. */
import { type AppError, notFound } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { isStorable } from '../../lib/json/json.ts'
import { DAY } from '../../lib/time/time.ts'
import type { RecordingRetention } from '../../model/accounts/project.ts'
import type { Recording, RecordingReader } from '../../model/recordings/recording.ts'

export const RETENTION_DAYS: Record<RecordingRetention, number> = { '30d': 30, '90d': 90, '1y': 365, '5y': 1_825 }

const midnight = (instant: number): number => Math.floor(instant / DAY) * DAY

/** Midnight UTC of the day it started, plus the days it is kept. */
export const expiryOf = (startAt: number, retentionDays: number): number => midnight(startAt) + retentionDays * DAY

/** Calendar days (UTC) until then, not below 0. */
export const daysLeft = (expiresAt: number, now: number): number =>
  Math.max(0, Math.floor((expiresAt - midnight(now)) / DAY))

/** The prefix of all blobs of the recording; begins with the project's id, so that they are removed with the project. */
export const recordingFolder = (projectId: number, sessionId: string): string => `${projectId}/recordings/${sessionId}/`

const IN_FOLDER = /^([1-9]\d{0,8})\/recordings\/([A-Za-z0-9-]{1,70})\//

/** Whose folder a key is in; null: no recording's. */
export function readRecordingFolder(key: string): { projectId: number; sessionId: string } | null {
  const [, projectId, sessionId] = IN_FOLDER.exec(key) ?? []
  return projectId === undefined || sessionId === undefined ? null : { projectId: Number(projectId), sessionId }
}

export const recordingNotFound = (): AppError => notFound('Recording not found')

/** UUIDs are stored in lower case, however the SDK wrote them. */
const sessionKey = (sessionId: string): string =>
  isUuid(sessionId.toLowerCase()) ? sessionId.toLowerCase() : sessionId

/** The recording, or the same 404 for one that is unknown, another project's, deleted or expired. */
export async function findRecording(
  recordings: Pick<RecordingReader, 'find'>,
  projectId: number,
  sessionId: string,
  now: number,
): Promise<Recording> {
  // No engine stores text with NUL, and not every engine accepts it in a query.
  const recording = isStorable(sessionId) ? await recordings.find(projectId, sessionKey(sessionId), now) : null
  if (recording === null) throw recordingNotFound()
  return recording
}
