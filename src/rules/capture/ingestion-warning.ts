/** The warning that is stored when incoming data was refused or changed. */
import { uuidV7 } from '../../lib/ids.ts'
import type { IngestionWarning } from '../../model/events/intake.ts'

/** Per project and write; more would not help the reader. */
export const MAX_WARNINGS = 1_000

export const ingestionWarning = (
  projectId: number,
  { type, details }: Pick<IngestionWarning, 'type' | 'details'>,
  now: number,
): IngestionWarning => ({ id: uuidV7(now), projectId, type, details, createdAt: now })
