/** Sharing, put together: what its owners change, and what whoever has the link meets. */
import { createSharedView, type SharedViewParts } from './shared-view.ts'
import { createSharing, type SharingParts } from './sharing.ts'

export interface SharingFeatureParts extends SharingParts, SharedViewParts {
  stores: SharingParts['stores'] & SharedViewParts['stores']
}

export function createSharingFeature({ stores, clock, secret }: SharingFeatureParts) {
  return { ...createSharing({ stores, clock }), view: createSharedView({ stores, clock, secret }) }
}

export type SharingFeature = ReturnType<typeof createSharingFeature>
