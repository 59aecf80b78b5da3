/** /insights/{id}/chart.png and its like: pictures of what was computed. */
import { etagOf, isCurrent } from '../../http/output/etag.ts'
import { Answer, type Call, type Route, rawAnswer, route } from '../../http/route.ts'
import { Bytes } from '../../http/schema.ts'
import type { ChartsFeature } from './charts.feature.ts'
import { ChartQuerySchema, DashboardChartParams, InsightChartParams } from './charts.schema.ts'

const PNG = 'image/png'
const SVG = 'image/svg+xml'

/** A picture shows what the key may see, and its data keeps changing. */
const CACHING = 'private, max-age=60'
/** Opened on its own an SVG is a page of this server: the policy lets it do nothing. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The ETag is made from the SVG, so a client that has the picture costs no rendering. */
async function answerPicture(
  svg: string,
  { headers }: Pick<Call, 'headers'>,
  contentType: string,
  bytes: (svg: string) => Promise<Buffer>,
): Promise<Answer> {
  const etag = etagOf(contentType, svg)
  const caching = { etag, 'cache-control': CACHING }
  if (isCurrent(headers, etag)) return new Answer(undefined, { status: 304, headers: caching })
  const safe = {
    'x-content-type-options': 'nosniff',
    ...(contentType === SVG ? { 'content-security-policy': SVG_POLICY } : {}),
  }
  return rawAnswer(await bytes(svg), contentType, { ...caching, ...safe })
}

const asText = async (svg: string): Promise<Buffer> => Buffer.from(svg)

const base = { method: 'GET', level: 'project', query: ChartQuerySchema, readsEvents: true } as const
const ofInsight = { ...base, tag: 'insights', scope: 'insight:read', params: InsightChartParams } as const
const png = { contentType: PNG, response: Bytes(PNG), example: '(bytes)' } as const

export const chartRoutes = (charts: ChartsFeature): Route[] => [
  route({
    ...ofInsight,
    ...png,
    path: '/insights/:id/chart.png/',
    summary: 'An insight as a picture',
    description: 'What it computes now, drawn with a font of its own. Without data the picture says so.',
    handler: async (call) =>
      answerPicture(await charts.insight(call.project, call.params.id, call.query), call, PNG, charts.toPng),
  }),
  route({
    ...ofInsight,
    path: '/insights/:id/chart.svg/',
    summary: 'An insight as a drawing',
    description: 'The same as the PNG, in lines and text; without scripts, and loading nothing.',
    contentType: SVG,
    response: Bytes(SVG),
    example: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="340"></svg>',
    handler: async (call) =>
      answerPicture(await charts.insight(call.project, call.params.id, call.query), call, SVG, asText),
  }),
  route({
    ...base,
    ...png,
    tag: 'dashboards',
    scope: 'dashboard:read',
    params: DashboardChartParams,
    path: '/dashboards/:id/chart.png/',
    summary: 'A dashboard as one picture',
    description:
      'Its first six tiles by row and column, two beside each other from a width of 900 on. A tile that cannot be ' +
      'computed is a box with the reason.',
    handler: async (call) =>
      answerPicture(await charts.dashboard(call.project, call.params.id, call.query), call, PNG, charts.toPng),
  }),
]
