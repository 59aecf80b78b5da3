/** Copies the address of this recording, from the second on that is shown. */

import type { Player } from '../../data/recordings/use-player.ts'
import { useTell } from '../../kit/overlay/toasts.tsx'
import { copyText } from '../../kit/text/copy-text.ts'

const SECOND = 1_000

/** Of the recording, as its player stands. */
export const secondOf = (player: Player, start: number): number =>
  Math.max(0, Math.floor((player.state.get().time - start) / SECOND))

export function useCopyLink(player: Player, start: number): () => Promise<void> {
  const tell = useTell()
  return async () => {
    const url = new URL(location.href)
    url.searchParams.set('t', String(secondOf(player, start)))
    tell((await copyText(url.href)) ? 'The link is copied' : 'The browser did not let the link be copied')
  }
}
