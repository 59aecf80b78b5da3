/** Reads a body into the changes of a dashboard and of its tiles. All problems are reported at once. */
import type { TSchema } from 'typebox'
import { collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import type { Problem } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'
import type { Dashboard, TileLayout } from '../../model/insights/dashboard.ts'
import { cleanTags } from '../../rules/insights/insight-fields.ts'

/** What a caller may set on the dashboard itself. */
export type Editable = Pick<Dashboard, 'name' | 'description' | 'pinned' | 'tags' | 'filters' | 'deleted'>

const FIELDS: (keyof Editable)[] = ['name', 'description', 'pinned', 'tags', 'filters', 'deleted']
/** There are only a few grids; repeating a body full of wrong ones would not help the caller. */
const MAX_LAYOUT_PROBLEMS = 20

export interface TileChange {
  id: number
  layouts?: Record<string, TileLayout>
  color?: string | null
  deleted?: boolean | null
}

export interface DashboardInput {
  fields: Partial<Editable>
  tiles: TileChange[]
}

const isLayout = (value: unknown): boolean =>
  isJsonObject(value) && ['x', 'y', 'w', 'h'].every((name) => typeof value[name] === 'number')

const layoutProblems = (layouts: Record<string, unknown>, path: string): Problem[] =>
  Object.entries(layouts)
    .filter(([, layout]) => !isLayout(layout))
    .slice(0, MAX_LAYOUT_PROBLEMS)
    .map(([grid]) => ({
      attr: `${path}__layouts__${cutText(grid, 100)}`,
      code: 'invalid_input',
      detail: 'A layout is an object with the numbers x, y, w and h.',
    }))

/** `current`: the dashboard whose tiles may be named; null when it is new. */
function tileProblems(tiles: TileChange[], current: Dashboard | null): Problem[] {
  const known = new Set(current?.tiles.map((tile) => tile.id))
  return tiles.flatMap((tile, index): Problem[] => {
    const path = `tiles__${index}`
    const detail = `Invalid pk "${tile.id}" - object does not exist.`
    const unknown = current !== null && !known.has(tile.id)
    return [
      ...(unknown ? [{ attr: `${path}__id`, code: 'does_not_exist', detail }] : []),
      ...layoutProblems(tile.layouts ?? {}, path),
    ]
  })
}

export function readDashboard(schema: TSchema, body: unknown, current: Dashboard | null): DashboardInput {
  const { problems, sent } = collectProblems(schema, body)
  const tiles = (sent.tiles ?? []) as TileChange[]
  refuseProblems(schema, [...problems, ...tileProblems(tiles, current)])
  const named = FIELDS.filter((field) => Object.hasOwn(sent, field))
  const fields: Partial<Editable> = Object.fromEntries(named.map((field) => [field, sent[field]]))
  return { fields: fields.tags ? { ...fields, tags: cleanTags(fields.tags) } : fields, tiles }
}
