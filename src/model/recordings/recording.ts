/**
 * Session recordings: their metadata, where their bytes are, who has viewed them. A recording is addressed
 * by project and session id. A deleted one leaves a tombstone, so that late data is refused.
 */
import type { PageRequest } from '../page.ts'

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
  /** As the SDK sent it, 1 to 70 of [A-Za-z0-9-]: also the name of the folder with its bytes. */
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
  /** Fixed when the first block arrives; a later change of the project's setting does not affect it. */
  retentionDays: number
  /** From this instant on readers do not see it; see rules/recordings/recording.ts. */
  expiresAt: number
  lastIngestAt: number
  /** The person it was explicitly assigned to; null: the owner of the distinct id. */
  personId: number | null
  analyzed: boolean
  /** When sharing was first enabled; null: never. */
  sharedAt: number | null
}

export type NewRecording = Omit<Recording, 'personId' | 'analyzed' | 'sharedAt'>

/** One range of bytes. Every key is in the recording's own folder (rules/recordings/recording.ts). */
export interface RecordingBlock {
  index: number
  blobKey: string
  offset: number
  length: number
  firstAt: number
  lastAt: number
  /** The block whose text comes before this one's when it is read (rules/rrweb/block.ts); null: none. */
  follows: number | null
  /** Written and read by rules/rrweb/full-snapshots.ts; null: of a block from before they were looked for. */
  fullSnapshots: string | null
}

/** Its bytes are at another place now. */
export interface BlockMove {
  from: RecordingBlock
  to: Pick<RecordingBlock, 'blobKey' | 'offset'>
}

/** Where the bytes of one block are. */
export interface BlockPlace extends Pick<RecordingBlock, 'index' | 'blobKey' | 'offset' | 'length'> {
  sessionId: string
}

export interface SeenUrl {
  url: string
  /** When it was first seen. */
  at: number
}

/** State that intake carries from block to block, in addition to the recording itself. */
export interface RecordingProgress {
  /** Written and read by rules/rrweb/activity.ts. */
  activity: string
  urls: SeenUrl[]
  /** Bytes of its blocks, as they are stored. */
  storedBytes: number
}

/** Everything needed to add the next block of a session. */
export interface RecordingStanding {
  /** Expired or not. */
  recording: Recording
  /** Null when it was not created by intake. */
  progress: RecordingProgress | null
  lastBlock: RecordingBlock | null
}

/** The fields that another block changes. */
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
  /** When the bytes were removed; null: not yet. */
  freedAt: number | null
}

interface RecordingPatch {
  personId?: number | null
  analyzed?: boolean
  sharedAt?: number
  /** When its last data came; set for recordings that are made up. */
  lastIngestAt?: number
}

/** Numbers that recordings can be filtered by; the names are those of the API. */
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

/** Level of a console line; anything but a warning or an error is info. */
export type ConsoleLevel = 'info' | 'warn' | 'error'

export type RecordingCondition =
  /** One of these sessions, ids case-insensitive; for few, as they are read anew for every portion of a scan. */
  | { sessionIds: string[] }
  | { measure: RecordingMeasure; comparison: '=' | '<>' | '>' | '>=' | '<' | '<='; value: number }
  | { source: string[]; negated: boolean }
  /** At least one console line has one of these levels; an empty list never holds. */
  | { consoleLevels: ConsoleLevel[] }
  | RecordingConditions

/** An empty AND always holds, an empty OR never. */
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
  /** Explicitly assigned to this person, or of one of its distinct ids and not assigned to another. */
  personId?: number
  /** Leaves out what this user, or any user, has viewed. */
  notViewedBy?: number | 'anyone'
  /** Joined with each other; an empty list restricts nothing. */
  conditions: { join: 'AND' | 'OR'; of: RecordingCondition[] }
  /** Comes first, regardless of the rest of the filter, if it exists. */
  forced?: string
  order: { by: RecordingOrder; ascending: boolean }
}

/** A place in the index of recordings by start. */
export interface RecordingPlace {
  startAt: number
  sessionId: string
}

/** Most candidates at once: taking over as many from another thread is one step, which nothing interrupts. */
export const CANDIDATES_AT_ONCE = 6_000

/** What is asked about each candidate. */
export interface CandidateQuestions {
  /** Whether these hold. */
  tests: RecordingCondition[]
  /** Who its person is: a look-up for each. */
  withOwners: boolean
}

/** Recordings that a filter finds, without the forced one, column by column, as they cross threads. */
export interface RecordingCandidates {
  sessionIds: string[]
  startAt: Float64Array
  /** What the list is ordered by: of named sessions, their place among the names. */
  by: Float64Array
  /** Its person: the one it was assigned to, else the owner of its distinct id; NOBODY without one. Empty if not asked. */
  owners: Float64Array
  /** For each recording, one after the other, and each of the tests: 1 if it holds, else 0. */
  holds: Uint8Array
  /** After which the next portion begins; null: this was the last one. */
  next: RecordingPlace | null
}

/** A recording as retention sees it. */
export interface StoredRecording {
  projectId: number
  sessionId: string
  /** Of its blocks, as they are stored. */
  bytes: number
}

/** Of a stretch of recordings those whose bytes may be joined. */
interface ScatteredRecordings {
  sessionIds: string[]
  /** After which the next stretch begins; null: this was the last one. */
  next: RecordingPlace | null
}

interface RecordingView {
  sessionId: string
  userId: number
}

/** Methods that take `now` return only recordings that have not expired by then and were not deleted. */
export interface RecordingReader {
  find(projectId: number, sessionId: string, now: number): Promise<Recording | null>
  /** Those that exist, in no order. */
  findMany(projectId: number, sessionIds: string[], now: number): Promise<Recording[]>
  /**
   * Exact pages in a total order: ties go by start time, newest first, then by session id. This and `count` scan
   * many recordings: in parallel to other work, until the deadline (`timeout`) or until `signal` is aborted.
   */
  list(
    projectId: number,
    filter: RecordingFilter,
    page: PageRequest,
    now: number,
    signal?: AbortSignal,
  ): Promise<Recording[]>
  count(projectId: number, filter: RecordingFilter, now: number, signal?: AbortSignal): Promise<number>
  /** Of those that `list` finds by this person: how many, and the bytes of their blocks as they are stored. A scan as `list` is. */
  totalsOf(
    projectId: number,
    personId: number,
    now: number,
    signal?: AbortSignal,
  ): Promise<{ count: number; bytes: number }>
  /**
   * The recordings after a place (null: from the beginning) that the filter finds, in no order and at most
   * CANDIDATES_AT_ONCE, or all of the named sessions; for conditions that only another store can decide. A scan as
   * `list` is.
   */
  candidates(
    projectId: number,
    filter: RecordingFilter,
    questions: CandidateQuestions,
    from: RecordingPlace | null,
    now: number,
    signal?: AbortSignal,
  ): Promise<RecordingCandidates>
  /** Blocks by index; empty when there are none. */
  blocks(projectId: number, sessionId: string): Promise<RecordingBlock[]>
  findTombstone(projectId: number, sessionId: string): Promise<RecordingTombstone | null>
  /** Tombstones of all projects whose bytes still have to be removed, oldest first. */
  unfreed(limit: number): Promise<RecordingTombstone[]>
  /** Who has viewed which of these recordings, oldest view first. */
  viewsOf(projectId: number, sessionIds: string[]): Promise<RecordingView[]>
  /** Null when the session has no recording; expired ones are included. */
  standing(projectId: number, sessionId: string): Promise<RecordingStanding | null>
  /** Which of these snapshots (16-byte hashes, as hex) the recording has. */
  knownSnapshots(projectId: number, sessionId: string, snapshots: string[]): Promise<Set<string>>
  /** Bytes of all blocks of the project that intake has stored, those of expired recordings included. */
  storedBytes(projectId: number): Promise<number>
  /** Those of all projects that have expired by then, the longest expired first. */
  expired(now: number, limit: number): Promise<StoredRecording[]>
  /** The project's oldest by their start, expired or not. */
  oldest(projectId: number, limit: number): Promise<StoredRecording[]>
  /** Places of the project's blocks, by session id, byte by byte, and index; at most `limit` after this one (null: the first). */
  blockPlaces(
    projectId: number,
    after: Pick<BlockPlace, 'sessionId' | 'index'> | null,
    limit: number,
  ): Promise<BlockPlace[]>
  /**
   * Of the project's recordings with this start or a later one, by their start, `limit` after a place (null: the first):
   * those with several blocks of which the last is not in a whole blob, and to which nothing came after `quietSince`.
   */
  scattered(
    projectId: number,
    since: { startFrom: number; quietSince: number },
    after: RecordingPlace | null,
    limit: number,
  ): Promise<ScatteredRecordings>
  /** Of all projects, those begun before the instant. */
  drafts(begunBefore: number, limit: number): Promise<RecordingDraft[]>
}

/** A file of a recording that a process has begun, and of which no block is recorded yet. */
interface RecordingDraft {
  projectId: number
  blobKey: string
  begunAt: number
}

export interface RecordingWriter extends RecordingReader {
  /** False, and nothing is written, when the session has a recording, an expired one or a tombstone. */
  create(recording: NewRecording, blocks: RecordingBlock[]): Promise<boolean>
  /**
   * Adds a block, with the fields it changes. False when the recording does not exist or the block's index is taken:
   * then the transaction must not commit.
   */
  grow(projectId: number, sessionId: string, block: RecordingBlock, growth: RecordingGrowth): Promise<boolean>
  /**
   * Writes where these blocks are now. False when one of them is not, or no longer, at the place it is said to come
   * from: then the transaction must not commit.
   */
  moveBlocks(projectId: number, sessionId: string, moves: BlockMove[]): Promise<boolean>
  /** Replaces the stored progress; the recording must exist. */
  saveProgress(projectId: number, sessionId: string, progress: RecordingProgress): Promise<void>
  /** Records the snapshots; false when one of them was recorded before, and then only some may be recorded. */
  noteSnapshots(projectId: number, sessionId: string, snapshots: string[]): Promise<boolean>
  /** The first bytes of a file are about to be stored. Idempotent; the first instant stays. */
  addDraft(draft: RecordingDraft): Promise<void>
  /** False when there is none. */
  removeDraft(draft: Pick<RecordingDraft, 'projectId' | 'blobKey'>): Promise<boolean>
  /** Absent fields stay; nothing happens when there is no such recording. */
  update(projectId: number, sessionId: string, patch: RecordingPatch): Promise<void>
  /**
   * Session ids of the recordings of these distinct ids and of the persons who own them, expired ones too; not
   * those explicitly assigned to another person.
   */
  ownedBy(projectId: number, distinctIds: string[]): Promise<string[]>
  /**
   * Replaces each recording by a tombstone whose bytes are still to be removed: deletes metadata, blocks and views.
   * Returns the ids that existed, expired ones included.
   */
  replaceByTombstone(
    projectId: number,
    sessionIds: string[],
    by: { userId: number | null; at: number },
  ): Promise<string[]>
  /** The bytes of a recording with a tombstone are removed. */
  markFreed(projectId: number, sessionId: string, at: number): Promise<void>
  /** Idempotent. */
  addViews(projectId: number, userId: number, sessionIds: string[], at: number): Promise<void>
  /** How many there were. */
  removeViews(projectId: number, userId: number, sessionIds: string[]): Promise<number>
}
