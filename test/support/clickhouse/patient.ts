/** What a question finds does not depend on how busy the machine is: read-deadline.test.ts is about the limit. */
import { MINUTE } from '../../../src/lib/time/time.ts'
import { LIMITS } from '../../../src/stores/clickhouse/parts.ts'

export const PATIENT = { ...LIMITS, readMs: 10 * MINUTE }
