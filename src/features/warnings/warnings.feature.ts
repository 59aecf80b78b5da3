/** Problems of incoming events: events that were dropped or only partly stored. Written by capture. */
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Stores } from '../../model/stores.ts'
import { type ExpiredWarningsParts, removeExpiredWarnings } from './expired-warnings.ts'

export interface WarningsParts {
  stores: Pick<Stores, 'intake'> & ExpiredWarningsParts['stores']
}

export function createWarningsFeature({ stores }: WarningsParts) {
  return {
    async list(project: Project, type: string | undefined, page: { limit: number; offset: number }) {
      const { count, items } = await stores.intake.warnings(project.id, type || null, page)
      const views = items.map((warning) => ({
        id: warning.id,
        type: warning.type,
        details: warning.details,
        created_at: formatInstant(warning.createdAt),
      }))
      return { count, items: views }
    },
    /** Removes warnings by age and number. */
    removeExpired: (now: number, signal: AbortSignal) => removeExpiredWarnings({ stores }, now, signal),
  }
}

export type WarningsFeature = ReturnType<typeof createWarningsFeature>
