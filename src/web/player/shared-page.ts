/** The page of a share: reads the data attributes of `#player`, plays the recording, and shows a message if it cannot. */
import type { ActivitySpan } from '../../model/recordings/player-messages.ts'
import { Controls } from './controls.ts'
import { Inspector } from './inspector.ts'
import { openRecording } from './open-recording.ts'
import { pauseWhenHidden } from './pause-when-hidden.ts'

const main = document.getElementById('player') as HTMLElement
const status = document.getElementById('status') as HTMLElement

function showStatus(text: string): void {
  if (status.textContent === text) return
  status.textContent = text
  status.hidden = text === ''
}

function addPlace(parent: HTMLElement, className: string): HTMLElement {
  const place = document.createElement('div')
  place.className = className
  parent.append(place)
  return place
}

async function play(): Promise<void> {
  const { source = '', grant = null, start = '0', inspector, remote } = main.dataset
  const place = addPlace(main, 'place')
  const target = addPlace(place, 'stage')
  const list = inspector === undefined ? null : new Inspector(main, Number(start))
  let controls: Controls | null = null
  let activity: ActivitySpan[] = []
  const opened = await openRecording({
    source,
    grant,
    remote: remote !== undefined,
    start: Number(start),
    at: new URLSearchParams(location.search).get('t') ?? '',
    target,
    seen: (events) => list?.add(events),
    seenAnew: (events) => list?.show(events),
    active: (spans) => {
      activity = spans
      controls?.showActivity(spans)
    },
    tell: (state, lost) => {
      controls?.show(state)
      const missing = lost > 0 ? 'Parts of this recording are missing.' : ''
      showStatus(state.isWaiting ? 'Loading…' : state.isSkipping ? 'Skipping idle time' : missing)
    },
  })
  if (!opened) return showStatus('There is nothing to play in this recording yet.')
  const { playback, time } = opened
  controls = new Controls(place, target, playback)
  controls.showActivity(activity)
  if (list) list.seek = (timestamp) => playback.seek(timestamp)
  pauseWhenHidden(playback)
  playback.seek(time, true)
}

if (main.dataset.platform === 'mobile')
  showStatus('This recording was made by a mobile app and cannot be played in the browser.')
else
  play().catch((error: unknown) =>
    showStatus(error instanceof Error ? error.message : 'The recording could not be played.'),
  )
