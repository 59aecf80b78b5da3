/** Sharing, put together: what its owners change, and what whoever has the link meets. */
import { createSharedView, type SharedViewParts } from './shared-view.ts'
import { createSharing, type SharingParts } from './sharing.ts'

export interface SharingFeatureParts extends SharingParts, SharedViewParts {
  stores: SharingParts['stores'] & SharedViewParts['stores']
  /** Whether the web app is served. */
  hasApp: boolean
}

export function createSharingFeature({ stores, clock, secret, hasApp }: SharingFeatureParts) {
  return { ...createSharing({ stores, clock }), hasApp, view: createSharedView({ stores, clock, secret }) }
}

export type SharingFeature = ReturnType<typeof createSharingFeature>
