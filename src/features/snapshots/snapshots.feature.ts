/**
 * Replay output: the list of a recording's blocks, their lines, and the whole as one file. Blocks are numbered by the
 * time of their first event, whatever the order of arrival; a recording without its beginning is served like any other.
 */
import { Readable } from 'node:stream'
import { Answer, rawAnswer } from '../../http/route.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { isStorable } from '../../lib/json/json.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant, HOUR } from '../../lib/time/time.ts'
import type { Recording, RecordingBlock } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'
import { findRecording } from '../../rules/recordings/recording.ts'
import { blockLines } from '../../rules/rrweb/block.ts'
import { type FullSnapshot, readFullSnapshots } from '../../rules/rrweb/full-snapshots.ts'
import { type KeyRange, readKeys, type SnapshotsQuery, SOURCE } from './block-keys.ts'
import { type BlockText, createBlockReader } from './block-reader.ts'
import { exportEvents } from './export-events.ts'

export interface SnapshotsParts {
  stores: Pick<Stores, 'recordings' | 'blobs'>
  clock: Clock
  /** Maximum bytes of one event's decompressed parts. */
  inflated: number
  /** Called when a block cannot be read; the others are served without it. */
  lost: (error: Error) => void
}

/** Which recording. */
export interface Place {
  projectId: number
  sessionId: string
}

interface Opened {
  recording: Recording
  /** By the time of their first event. */
  blocks: RecordingBlock[]
  /** The texts that can be read. */
  texts: (wanted: RecordingBlock[]) => AsyncGenerator<BlockText>
}

const LINE_FEED = Buffer.from('\n')

const viewFullSnapshot = ({ windowId, at }: FullSnapshot) => ({ window_id: windowId, timestamp: formatInstant(at) })

const viewSources = (blocks: RecordingBlock[]) => ({
  sources: blocks.map(({ firstAt, lastAt, fullSnapshots }, i) => ({
    source: SOURCE,
    start_timestamp: formatInstant(firstAt),
    end_timestamp: formatInstant(lastAt),
    blob_key: String(i),
    full_snapshots: fullSnapshots === null ? null : readFullSnapshots(fullSnapshots).map(viewFullSnapshot),
  })),
})

/** The lines of these blocks, without a line feed at the very end. */
async function* linesOf(first: BlockText, others: AsyncIterable<BlockText>): AsyncGenerator<Buffer> {
  yield blockLines(first.text).subarray(0, -1)
  for await (const { text } of others) {
    yield LINE_FEED
    yield blockLines(text).subarray(0, -1)
  }
}

/** A late block shifts the numbers of those after it: for a while, responses must not be cached. */
function cacheControl({ recording, blocks }: Opened, now: number): string {
  const inOrder = blocks.every((block, i) => block.index === i)
  return inOrder || now - recording.lastIngestAt > HOUR ? 'max-age=3600' : 'no-cache'
}

async function answerLines(opened: Opened, { first, last }: KeyRange, now: number): Promise<Answer> {
  // A partial answer would look like a complete one.
  if (last >= opened.blocks.length) throw notFound('Block not found')
  const texts = opened.texts(opened.blocks.slice(first, last + 1))
  // Read before the answer begins, so that having nothing to read is an error and not an empty answer.
  const begin = await texts.next()
  if (begin.done) throw notFound('Block not found')
  const lines = Readable.from(linesOf(begin.value, texts), { objectMode: false })
  const headers = { 'cache-control': cacheControl(opened, now), 'content-disposition': 'inline' }
  return rawAnswer(lines, 'application/jsonl', headers)
}

export function createSnapshotsFeature({ stores, clock, inflated, lost }: SnapshotsParts) {
  const { recordings, blobs } = stores

  const open = async ({ projectId, sessionId }: Place): Promise<Opened> => {
    if (isStorable(sessionId) && (await recordings.findTombstone(projectId, sessionId))) {
      throw new AppError('gone', 'gone', 'Recording has been deleted')
    }
    const recording = await findRecording(recordings, projectId, sessionId, clock.now())
    const reread = () => recordings.blocks(projectId, sessionId)
    const blocks = (await reread()).sort((a, b) => a.firstAt - b.firstAt || a.index - b.index)
    const reader = createBlockReader({ blobs, reread }, blocks)
    return { recording, blocks, texts: (wanted) => reader.texts(wanted, lost) }
  }

  const read = async (place: Place, query: SnapshotsQuery) => {
    const keys = readKeys(query)
    const opened = await open(place)
    return keys === null ? viewSources(opened.blocks) : answerLines(opened, keys, clock.now())
  }

  return {
    /** The list of blocks, or the lines of those that the query names. */
    read,
    /** The same for the page of a share: always bytes, never cached. */
    async readShared(place: Place, query: Record<string, unknown>): Promise<Answer> {
      const texts = Object.entries(query).filter(([, value]) => typeof value === 'string')
      const result = notCached(await read(place, Object.fromEntries(texts)))
      return result instanceof Answer ? result : rawAnswer(JSON.stringify(result), 'application/json; charset=utf-8')
    },
    async export(place: Place): Promise<Answer> {
      const { texts, blocks } = await open(place)
      const events = Readable.from(exportEvents(blocks, texts(blocks), inflated), { objectMode: false })
      const headers = { 'content-disposition': `attachment; filename="recording-${place.sessionId}.json"` }
      return rawAnswer(events, 'application/json; charset=utf-8', headers)
    },
  }
}

/** For sharing tokens: the response must not be cached. */
export const notCached = <T>(result: T | Answer): T | Answer => {
  if (!(result instanceof Answer)) return result
  const { 'cache-control': _, ...headers } = result.headers
  return new Answer(result.body, { headers })
}

export type SnapshotsFeature = ReturnType<typeof createSnapshotsFeature>
