import type { Playback } from './playback.ts'

/** Nobody looks meanwhile: it goes on when the page is seen again. */
export function pauseWhenHidden(playback: Playback): void {
  let wasPlaying = false
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      wasPlaying = playback.isPlaying
      playback.pause()
    } else if (wasPlaying) playback.play()
  })
}
