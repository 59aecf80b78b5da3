/** The player page: reads the data attributes of `#player`, plays the recording, and shows a message if it cannot. */
import { BlockFeed } from './block-feed.ts'
import { firstBlockFor, firstFrame } from './first-block.ts'
import { Inspector } from './inspector.ts'
import { Playback } from './playback.ts'
import { openSource } from './snapshot-source.ts'

const CONTROLS_HEIGHT = 80
const main = document.getElementById('player') as HTMLElement
const status = document.getElementById('status') as HTMLElement

function showStatus(text: string): void {
  status.textContent = text
  status.hidden = text === ''
}

/** The space left for the player by the header and the list. */
function stageSize(stage: HTMLElement): { width: number; height: number } {
  const { top } = stage.getBoundingClientRect()
  const height = window.innerHeight - top - CONTROLS_HEIGHT - 16
  return { width: Math.max(stage.clientWidth, 280), height: Math.max(height, 160) }
}

/** The start time from the URL parameter `t`: seconds from the start of the recording, as milliseconds. */
function requestedTime(): number {
  const seconds = Number(new URLSearchParams(location.search).get('t') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}

async function play(): Promise<void> {
  const { source = '', grant = null, start = '0', inspector } = main.dataset
  const snapshots = openSource(source, grant)
  const blocks = await snapshots.blocks()
  const end = Math.max(...blocks.map((block) => block.end))
  const time = Math.min(Number(start) + requestedTime(), end)
  const feed = new BlockFeed(snapshots, blocks, firstBlockFor(blocks, time))
  const stage = document.createElement('div')
  stage.className = 'stage'
  main.append(stage)
  const list = inspector === undefined ? null : new Inspector(main, Number(start))
  const playback = await Playback.open({
    feed,
    target: stage,
    firstFrame: firstFrame(blocks),
    end,
    size: () => stageSize(stage),
    seen: (events) => list?.add(events),
    seenAnew: (events) => list?.show(events),
    waiting: (isWaiting) =>
      showStatus(isWaiting ? 'Loading…' : feed.lost > 0 ? 'Parts of this recording are missing.' : ''),
  })
  if (!playback) return showStatus('There is nothing to play in this recording yet.')
  showStatus('')
  if (list) list.seek = (timestamp) => playback.seek(timestamp)
  window.addEventListener('resize', () => playback.resize())
  playback.seek(time, true)
}

if (main.dataset.platform === 'mobile')
  showStatus('This recording was made by a mobile app and cannot be played in the browser.')
else
  play().catch((error: unknown) =>
    showStatus(error instanceof Error ? error.message : 'The recording could not be played.'),
  )
