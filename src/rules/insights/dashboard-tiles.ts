/** Which tiles of a dashboard are shown where there is no space for all of them: the first ones, in reading order. */
import { AppError } from '../../lib/errors.ts'
import type { Dashboard, Tile } from '../../model/insights/dashboard.ts'
import type { Insight, InsightReader } from '../../model/insights/insight.ts'

/** Tiles in one picture or one message. */
const MAX_TILES = 6

export const insightName = ({ name, derivedName }: Pick<Insight, 'name' | 'derivedName'>): string =>
  name || derivedName || 'Untitled insight'

export const dashboardName = ({ name }: Pick<Dashboard, 'name'>): string => name || 'Untitled dashboard'

/** By row, then from left to right; tiles without a position come last, in the order they were added. */
export function inLayoutOrder(tiles: Tile[]): Tile[] {
  const place = ({ layouts }: Tile): [number, number] => {
    const { y = Number.MAX_VALUE, x = Number.MAX_VALUE } = layouts.sm ?? {}
    return [y, x]
  }
  return [...tiles].sort((one, other) => {
    const [[y, x], [otherY, otherX]] = [place(one), place(other)]
    return y - otherY || x - otherX || one.id - other.id
  })
}

/** The insights of the first tiles, in their order. */
export async function firstInsights(
  insights: Pick<InsightReader, 'findMany'>,
  dashboard: Dashboard,
): Promise<Insight[]> {
  const ids = inLayoutOrder(dashboard.tiles)
    .slice(0, MAX_TILES)
    .map(({ insightId }) => insightId)
  const found = new Map((await insights.findMany(dashboard.projectId, ids)).map((insight) => [insight.id, insight]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Why an insight has no result, as text for its viewer; internal errors are not shown. */
export const whyNotComputed = (error: unknown): string =>
  error instanceof AppError && error.kind === 'invalid' ? error.message : 'This insight could not be computed.'
