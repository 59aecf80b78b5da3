/** Opens a recording at a time: for the page of a share, and for the frame of the web app. */
import type { ActivitySpan } from '../../model/recordings/player-messages.ts'
import { BlockFeed } from './block-feed.ts'
import { ActivityBand } from './events/activity-band.ts'
import type { WindowEvent } from './events/recorded-event.ts'
import { firstBlockFor, firstFrame } from './first-block.ts'
import { Playback, type PlaybackParts } from './playback.ts'
import { openSource } from './snapshot-source.ts'
import { startTime } from './start-time.ts'

interface RecordingParts extends Pick<PlaybackParts, 'target' | 'seen' | 'seenAnew'> {
  source: string
  /** What opens the source, where neither the address nor a cookie does. */
  grant: string | null
  /** Images and fonts may come from the recorded site. */
  remote: boolean
  /** Time of its first event. */
  start: number
  /** Where to begin; see start-time.ts. */
  at: string
  /** After each reading. */
  active: (spans: ActivitySpan[]) => void
  /** `lost`: blocks that could not be read. */
  tell: (state: Parameters<PlaybackParts['tell']>[0], lost: number) => void
}

/** `time`: where to begin. Null when there is nothing to play yet. */
export async function openRecording(parts: RecordingParts): Promise<{ playback: Playback; time: number } | null> {
  const { source, grant, remote, start, at, target, seen, seenAnew, active, tell } = parts
  const snapshots = openSource(source, grant, remote)
  const blocks = await snapshots.blocks()
  const end = Math.max(start, ...blocks.map((block) => block.end))
  const time = startTime(at, { start, end })
  const feed = new BlockFeed(snapshots, blocks, firstBlockFor(blocks, time))
  const band = new ActivityBand(start, end)
  const noted = (then: (events: WindowEvent[]) => void) => (events: WindowEvent[]) => {
    then(events)
    band.add(events, feed.begin, feed.horizon)
    active(band.spans())
  }
  const playback = await Playback.open({
    feed,
    target,
    firstFrame: firstFrame(blocks),
    end,
    seen: noted(seen),
    seenAnew: noted(seenAnew),
    tell: (state) => tell(state, feed.lost),
  })
  return playback && { playback, time }
}
