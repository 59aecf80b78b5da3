/** Recordings and persons for the contract suites, with plain defaults. */
import { randomUUID } from 'node:crypto'
import { DAY } from '../../lib/time/time.ts'
import type { NewRecording, RecordingFilter } from '../../model/recordings/recording.ts'
import type { SqlStores } from '../../model/stores.ts'
import { NOW } from './sql-builders.ts'

/** Lists everything, newest first. */
export const EVERYTHING: RecordingFilter = {
  startFrom: -Infinity,
  startTo: Infinity,
  conditions: { join: 'AND', of: [] },
  order: { by: 'start_time', ascending: false },
}

type Input = Partial<NewRecording> & { projectId: number }

export const newRecording = (input: Input): NewRecording => ({
  sessionId: randomUUID(),
  distinctId: 'd-1',
  startAt: NOW,
  endAt: NOW + 60_000,
  activeMs: 10_000,
  counters: { clicks: 0, keypresses: 0, mouseActivity: 0, consoleLogs: 0, consoleWarns: 0, consoleErrors: 0 },
  startUrl: '',
  snapshotSource: 'web',
  snapshotLibrary: null,
  totalSize: 0,
  eventCount: 0,
  retentionDays: 30,
  expiresAt: NOW + 30 * DAY,
  lastIngestAt: NOW,
  ...input,
})

/** Returns the session id. */
export async function insertRecording(stores: SqlStores, input: Input): Promise<string> {
  const recording = newRecording(input)
  await stores.transaction((tx) => tx.recordings.create(recording, []))
  return recording.sessionId
}

/** Returns the person's id. */
export async function insertPerson(
  stores: SqlStores,
  projectId: number,
  distinctIds: string[],
  properties: Record<string, unknown> = {},
): Promise<number> {
  const person = { projectId, uuid: randomUUID(), properties, isIdentified: true, createdAt: NOW }
  return (await stores.transaction((tx) => tx.persons.create(person, distinctIds))).id
}
