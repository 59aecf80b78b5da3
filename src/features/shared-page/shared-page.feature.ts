/** The page of a share, put together with the files that it loads. */
import { createPlayerFiles } from './player-files.ts'
import { createSharedPage, type SharedPageParts } from './shared-page.ts'

export const createSharedPageFeature = (parts: Omit<SharedPageParts, 'files'>) =>
  createSharedPage({ ...parts, files: createPlayerFiles() })

export type SharedPageFeature = ReturnType<typeof createSharedPageFeature>
