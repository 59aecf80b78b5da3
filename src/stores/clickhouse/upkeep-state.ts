/** What a process has stored since it last looked at what else is to be done (upkeep.ts). */

/** Stored rows after which properties are first looked at; then after ever more, as they differ less and less. */
const FIRST_LOOK = 8_000
export const LONGER = 8
export const LONGEST_PAUSE = 1_000_000

/** What a process has stored since it last looked. */
export class UpkeepState {
  rows = 0
  pause = FIRST_LOOK
  projects = new Set<number>()
  /** Ids that got an owner since overrides were last settled. */
  owners = 0
}
