/**
 * The frame in which the web app plays a recording: a document of its own with a policy of its own, because a recorded page
 * consists of inline styles, which the app's policy refuses. It holds no data: the app tells it what to play.
 */
import type { PageCall } from '../../http/page-routes.ts'
import type { Answer } from '../../http/route.ts'
import { playingAnswer } from './page-answer.ts'
import { framePage, THEMES } from './page-html.ts'
import type { PlayerFileSet } from './player-files.ts'

export function createPlayerFrame(files: PlayerFileSet) {
  return async ({ query, root }: PageCall): Promise<Answer> => {
    const [style, pathOf] = await Promise.all([files.style(), files.paths()])
    const theme = THEMES.find((one) => one === query.theme) ?? 'system'
    return playingAnswer({
      remote: query.remote === '1',
      framed: 'by us',
      html: (nonce) => framePage({ style, settings: { theme } }, { src: root + pathOf('frame.js'), nonce }),
    })
  }
}
