/** Parameters of a picture. */
import { type Static, Type } from 'typebox'
import { Choice } from '../../http/schema.ts'

export const ChartQuerySchema = Type.Object({
  width: Type.Optional(
    Type.Integer({
      minimum: 300,
      maximum: 1_600,
      default: 600,
      description: 'In pixels of the page; a PNG has twice as many. Letters keep their size.',
    }),
  ),
  theme: Type.Optional(Choice(['light', 'dark'], { default: 'light', description: 'Either has a ground of its own.' })),
})

export type ChartQuery = Static<typeof ChartQuerySchema>

export const InsightChartParams = Type.Object({ id: Type.String({ description: 'The integer id or the short id.' }) })
export const DashboardChartParams = Type.Object({ id: Type.String({ description: 'The integer id of a dashboard.' }) })
