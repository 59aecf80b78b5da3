/** The frame that plays a recording, and what it and the app tell each other. */
import type {
  ActivitySpan,
  PlayerCommand,
  PlayerEntry,
  PlayerReport,
  PlayerState,
} from '../../../../model/recordings/player-messages.ts'
import type { Theme } from '../boot.ts'
import { base } from '../session.ts'

export type { ActivitySpan, PlayerCommand, PlayerEntry, PlayerReport, PlayerState }

/** `remote`: images and fonts of the recorded site are loaded from where they are. */
export function frameAddress(theme: Theme, remote: boolean): string {
  const url = new URL('player-frame', base)
  url.searchParams.set('theme', theme)
  if (remote) url.searchParams.set('remote', '1')
  return url.href
}
