/** What is kept of something that came in and could not be taken as it was. */
import { uuidV7 } from '../../lib/ids.ts'
import type { IngestionWarning } from '../../model/events/intake.ts'

/** Of what one project sends at once. Who sends more rubbish has enough to read. */
export const MAX_WARNINGS = 1_000

export const ingestionWarning = (
  projectId: number,
  { type, details }: Pick<IngestionWarning, 'type' | 'details'>,
  now: number,
): IngestionWarning => ({ id: uuidV7(now), projectId, type, details, createdAt: now })
