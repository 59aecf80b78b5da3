/** One event as it is stored. */
export interface StoredEvent {
  projectId: number
  /** A UUID of any version. */
  uuid: string
  event: string
  distinctId: string
  /** When it happened, by the corrected client clock. */
  timestamp: number
  /** A UUIDv7 in canonical lower-case form; null when the event carries no such session id. */
  sessionId: string | null
  properties: Record<string, unknown>
  seq: number
}
