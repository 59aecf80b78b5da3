/** What is shown of a dashboard where there is no room for all of it: its first tiles, as people read them. */
import { AppError } from '../../lib/errors.ts'
import type { Dashboard, Tile } from '../../model/insights/dashboard.ts'
import type { Insight, InsightReader } from '../../model/insights/insight.ts'

/** As many as one picture or one message holds. */
const MAX_TILES = 6

export const insightName = ({ name, derivedName }: Pick<Insight, 'name' | 'derivedName'>): string =>
  name || derivedName || 'Untitled insight'

export const dashboardName = ({ name }: Pick<Dashboard, 'name'>): string => name || 'Untitled dashboard'

/** By row, then from left to right; what has no place comes last, in the order it was added. */
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

/** Why an insight has no result, in words for whoever looks at it; inner failures are not told. */
export const whyNotComputed = (error: unknown): string =>
  error instanceof AppError && error.kind === 'invalid' ? error.message : 'This insight could not be computed.'
