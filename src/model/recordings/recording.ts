/**
 * Session recordings: what is known about each, where its bytes are, who has seen it. A recording is addressed
 * by project and session id. A deleted one leaves a tombstone, by which late data is refused.
 */
import type { PageRequest } from '../page.ts'
import type { PropertyFilter } from '../persons/person.ts'

export interface RecordingCounters {
  clicks: number
  keypresses: number
  mouseActivity: number
  consoleLogs: number
  consoleWarns: number
  consoleErrors: number
}

export interface Recording {
  projectId: number
  /** As the SDK gave it, 1 to 70 of [A-Za-z0-9-]: it also names the folder of the bytes. */
  sessionId: string
  distinctId: string
  /** Times of the first and of the last rrweb event. */
  startAt: number
  endAt: number
  activeMs: number
  counters: RecordingCounters
  /** Empty when no page was seen. */
  startUrl: string
  snapshotSource: 'web' | 'mobile'
  /** The SDK that recorded it; null when it did not say. */
  snapshotLibrary: string | null
  /** Bytes of the snapshot lines, uncompressed. */
  totalSize: number
  eventCount: number
  /** Fixed when the first block comes; a later change of the project's setting does not move it. */
  retentionDays: number
  /** From this instant on it is not there any more; see rules/recordings/recording.ts. */
  expiresAt: number
  lastIngestAt: number
  /** The person it was given to by hand; null: whoever owns the distinct id. */
  personId: number | null
  analyzed: boolean
  /** When sharing was first enabled; null: never. */
  sharedAt: number | null
}

export type NewRecording = Omit<Recording, 'personId' | 'analyzed' | 'sharedAt'>

/** One stretch of bytes. Every key lies in the recording's own folder (rules/recordings/recording.ts). */
export interface RecordingBlock {
  index: number
  blobKey: string
  offset: number
  length: number
  firstAt: number
  lastAt: number
  /** The block whose text comes before this one's when it is read (rules/rrweb/block.ts); null: none. */
  follows: number | null
}

export interface SeenUrl {
  url: string
  /** When it was first seen. */
  at: number
}

/** What intake carries on from block to block, beside what the recording itself shows. */
export interface RecordingProgress {
  /** Written and read by rules/rrweb/activity.ts. */
  activity: string
  urls: SeenUrl[]
  /** Bytes of its blocks, as they are stored. */
  storedBytes: number
}

/** All that the next block of a session has to know. */
export interface RecordingStanding {
  /** Expired or not. */
  recording: Recording
  /** Null when it was not made by intake. */
  progress: RecordingProgress | null
  lastBlock: RecordingBlock | null
}

/** The fields that a further block moves. */
type RecordingGrowth = Pick<
  Recording,
  'startAt' | 'endAt' | 'activeMs' | 'counters' | 'startUrl' | 'totalSize' | 'eventCount' | 'expiresAt' | 'lastIngestAt'
>

export interface RecordingTombstone {
  projectId: number
  sessionId: string
  deletedAt: number
  /** Id of the user; null: the system itself. */
  deletedBy: number | null
  /** When the bytes were gone; null: they still have to be removed. */
  freedAt: number | null
}

interface RecordingPatch {
  personId?: number | null
  analyzed?: boolean
  sharedAt?: number
}

/** What recordings can be compared by; the values are those that the API shows. */
export type RecordingMeasure =
  | 'recording_duration'
  | 'active_seconds'
  | 'inactive_seconds'
  | 'click_count'
  | 'keypress_count'
  | 'mouse_activity_count'
  | 'console_log_count'
  | 'console_warn_count'
  | 'console_error_count'
  | 'activity_score'

export type RecordingOrder = RecordingMeasure | 'start_time' | 'recording_ttl'

/** Of a line of the console; what is neither a warning nor an error is info. */
export type ConsoleLevel = 'info' | 'warn' | 'error'

export type RecordingCondition =
  /** One of these sessions, whatever the case of the id. */
  | { sessionIds: string[] }
  /** What the person it belongs to is like; without a stored person it is as of one who has no properties. */
  | { person: PropertyFilter }
  | { measure: RecordingMeasure; comparison: '=' | '<>' | '>' | '>=' | '<' | '<='; value: number }
  | { source: string[]; negated: boolean }
  /** At least one line of the console has one of these levels; none of them: it never holds. */
  | { consoleLevels: ConsoleLevel[] }
  | RecordingConditions

/** None joined by AND always hold, none joined by OR never. */
export interface RecordingConditions {
  join: 'AND' | 'OR'
  of: RecordingCondition[]
}

export interface RecordingFilter {
  /** Both ends included; may be infinite. */
  startFrom: number
  startTo: number
  /** Only these, in this order. */
  sessionIds?: string[]
  distinctIds?: string[]
  /** Given to this person by hand, or of one of its distinct ids and not given to another. */
  personId?: number
  /** Leaves out what this user, or anybody, has viewed. */
  notViewedBy?: number | 'anyone'
  /** Joined among each other; none means no narrowing. */
  conditions: { join: 'AND' | 'OR'; of: RecordingCondition[] }
  /** Comes first, whatever the rest of the filter says, if it exists. */
  forced?: string
  order: { by: RecordingOrder; ascending: boolean }
}

/** A recording as retention sees it. */
export interface StoredRecording {
  projectId: number
  sessionId: string
  /** Of its blocks, as they are stored. */
  bytes: number
}

interface RecordingView {
  sessionId: string
  userId: number
}

/** Methods that take `now` see what has not expired by then, and nothing that was deleted. */
export interface RecordingReader {
  find(projectId: number, sessionId: string, now: number): Promise<Recording | null>
  /** Those that are there, in no order. */
  findMany(projectId: number, sessionIds: string[], now: number): Promise<Recording[]>
  /**
   * Exact pages in a total order: ties go by start time, newest first, then by session id. This and `count` look through
   * many recordings: beside everything else, and not for longer than the deadline (`timeout`) or than `signal` lets them.
   */
  list(
    projectId: number,
    filter: RecordingFilter,
    page: PageRequest,
    now: number,
    signal?: AbortSignal,
  ): Promise<Recording[]>
  count(projectId: number, filter: RecordingFilter, now: number, signal?: AbortSignal): Promise<number>
  /** Blocks by index; empty when there are none. */
  blocks(projectId: number, sessionId: string): Promise<RecordingBlock[]>
  findTombstone(projectId: number, sessionId: string): Promise<RecordingTombstone | null>
  /** Tombstones of all projects whose bytes still have to be removed, oldest first. */
  unfreed(limit: number): Promise<RecordingTombstone[]>
  /** Who has seen which of these recordings, oldest view first. */
  viewsOf(projectId: number, sessionIds: string[]): Promise<RecordingView[]>
  /** Null when the session has no recording; expired ones are there. */
  standing(projectId: number, sessionId: string): Promise<RecordingStanding | null>
  /** Which of these snapshots (16 bytes each, as hex) the recording holds. */
  knownSnapshots(projectId: number, sessionId: string, snapshots: string[]): Promise<Set<string>>
  /** Bytes of all blocks of the project that intake has stored, those of expired recordings included. */
  storedBytes(projectId: number): Promise<number>
  /** Those of all projects that have expired by then, the longest expired first. */
  expired(now: number, limit: number): Promise<StoredRecording[]>
  /** The project's oldest by their start, expired or not. */
  oldest(projectId: number, limit: number): Promise<StoredRecording[]>
  /** Sessions of all projects whose first bytes may be there without a recording. */
  drafts(limit: number): Promise<{ projectId: number; sessionId: string }[]>
}

export interface RecordingWriter extends RecordingReader {
  /** False, and nothing is written, when the session has a recording, an expired one or a tombstone. */
  create(recording: NewRecording, blocks: RecordingBlock[]): Promise<boolean>
  /**
   * One more block, with what it moves. False when the recording is not there or the index of the block is taken:
   * then the transaction must not commit.
   */
  grow(projectId: number, sessionId: string, block: RecordingBlock, growth: RecordingGrowth): Promise<boolean>
  /** Replaces what was there; the recording must be there. */
  saveProgress(projectId: number, sessionId: string, progress: RecordingProgress): Promise<void>
  /** Notes the snapshots; false when one of them was noted before, and then some may be noted and others not. */
  noteSnapshots(projectId: number, sessionId: string, snapshots: string[]): Promise<boolean>
  /** Bytes are about to be stored for a session without a recording. Doing it twice is the same as once. */
  addDraft(projectId: number, sessionId: string): Promise<void>
  /** Nothing happens when there is none. */
  removeDraft(projectId: number, sessionId: string): Promise<void>
  /** Absent fields stay; nothing happens when there is no such recording. */
  update(projectId: number, sessionId: string, patch: RecordingPatch): Promise<void>
  /**
   * Session ids of the recordings of these distinct ids and of the persons who own them, expired ones too; not
   * those that were given to another person by hand.
   */
  ownedBy(projectId: number, distinctIds: string[]): Promise<string[]>
  /**
   * Replaces each recording by a tombstone whose bytes are still to be removed: metadata, blocks and views go.
   * Gives the ids that were there, expired ones included.
   */
  replaceByTombstone(
    projectId: number,
    sessionIds: string[],
    by: { userId: number | null; at: number },
  ): Promise<string[]>
  /** The bytes of a buried recording are gone. */
  markFreed(projectId: number, sessionId: string, at: number): Promise<void>
  /** Doing it twice is the same as once. */
  addViews(projectId: number, userId: number, sessionIds: string[], at: number): Promise<void>
  /** How many there were. */
  removeViews(projectId: number, userId: number, sessionIds: string[]): Promise<number>
}
