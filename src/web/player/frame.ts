/**
 * The frame in which the web app plays a recording: a document of its own, so that nothing that was recorded is ever part of
 * the app's. It draws the recording and nothing else; controls and lists are the app's, which it speaks to in messages.
 */
import type { PlayerCommand, PlayerReport } from '../../model/recordings/player-messages.ts'
import { entriesOf } from './events/entries.ts'
import { openRecording } from './open-recording.ts'
import { pauseWhenHidden } from './pause-when-hidden.ts'
import type { Playback } from './playback.ts'

const target = document.getElementById('stage') as HTMLElement
let playback: Playback | null = null
let seeks = 0

const report = (message: PlayerReport): void => parent.postMessage(message, location.origin)

/** Its events may be listed all the same. */
const NOTHING = 'No picture of a whole page has come, and without one nothing can be drawn.'

async function open({ source, start, at }: Extract<PlayerCommand, { do: 'open' }>): Promise<void> {
  const opened = await openRecording({
    source,
    grant: null,
    remote: new URLSearchParams(location.search).get('remote') === '1',
    start,
    at,
    target,
    seen: (events) => report({ is: 'entries', entries: entriesOf(events), anew: false }),
    seenAnew: (events) => report({ is: 'entries', entries: entriesOf(events), anew: true }),
    active: (spans) => report({ is: 'activity', spans }),
    tell: (state, lost) => report({ is: 'state', state, lost, seeks }),
  })
  if (!opened) return report({ is: 'problem', problem: NOTHING })
  playback = opened.playback
  report({ is: 'open', start: playback.start, end: playback.end })
  pauseWhenHidden(playback)
  playback.seek(opened.time, true)
}

function obey(command: PlayerCommand): void {
  if (command.do === 'open')
    open(command).catch((error: unknown) =>
      report({ is: 'problem', problem: error instanceof Error ? error.message : 'The recording could not be played.' }),
    )
  if (command.do === 'seek') seeks = command.count
  if (!playback) return
  if (command.do === 'play') playback.play()
  if (command.do === 'pause') playback.pause()
  if (command.do === 'seek') playback.seek(command.time)
  if (command.do === 'speed') playback.speed = command.speed
  if (command.do === 'skip') playback.skipsIdle = command.skips
}

/** Only the app may tell it anything: a recorded page can post messages too. */
window.addEventListener('message', ({ source, origin, data }) => {
  if (source === parent && parent !== window && origin === location.origin) obey(data as PlayerCommand)
})
report({ is: 'ready' })
