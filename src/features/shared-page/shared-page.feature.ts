/** The pages that play a recording, put together with the files that they load. */
import { createPlayerFiles } from './player-files.ts'
import { createPlayerFrame } from './player-frame.ts'
import { createSharedPage, type SharedPageParts } from './shared-page.ts'

export function createSharedPageFeature(parts: Omit<SharedPageParts, 'files'>) {
  const files = createPlayerFiles()
  return { ...createSharedPage({ ...parts, files }), frame: createPlayerFrame(files) }
}

export type SharedPageFeature = ReturnType<typeof createSharedPageFeature>
