/**
 * Draws charts with echarts, as a fragment of SVG. The library is loaded when the first one is drawn: a server that
 * draws none does not need its memory.
 */
import { moved, type Part } from './svg-shapes.ts'
import { FONT_FAMILY, textWidth } from './svg-text.ts'

async function load() {
  const [{ init, setPlatformAPI, use }, { BarChart, LineChart, PieChart }, { GridComponent }, { SVGRenderer }] =
    await Promise.all([
      import('echarts/core'),
      import('echarts/charts'),
      import('echarts/components'),
      import('echarts/renderers'),
    ])
  use([BarChart, LineChart, PieChart, GridComponent, SVGRenderer])
  // Its own estimate is for a narrower font, so labels would overlap.
  setPlatformAPI({
    measureText: (content: string, font?: string) => ({
      width: textWidth(content, {
        size: Number(/(\d+)px/.exec(font ?? '')?.[1] ?? 12),
        bold: /bold|[67]00/.test(font ?? ''),
      }),
    }),
  })
  return init
}

let loading: ReturnType<typeof load> | undefined

/** Loads once; a failure is retried at the next call. */
function loaded(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Replaces ids, which echarts numbers across all charts of the process, so that the same chart is always the same text. */
const withStableIds = (svg: string, name: string): string =>
  svg
    .replace(/<style[^>]*><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>/g, '')
    .replace(/ class="zr\d+-cls-\d+"/g, '')
    .replace(/ ecmeta_\w+="[^"]*"/g, '')
    .replace(/ id="zr\d+-/g, ` id="${name}-`)
    .replace(/="url\(#zr\d+-/g, `="url(#${name}-`)

export interface PlotSize {
  width: number
  height: number
  /** Prefix of this plot's ids, different from those of others in the same picture. */
  name: string
}

/** A picture does not move and answers no pointer. */
const STILL = { silent: true, emphasis: { disabled: true } }

/** `option`: as insight-display/ makes it, for pictures and screens alike. */
export async function plot(option: { series: object[] }, { width, height, name }: PlotSize): Promise<Part> {
  const init = await loaded()
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    const series = option.series.map((one) => ({ ...one, ...STILL }))
    chart.setOption({ ...option, series, animation: false, silent: true, textStyle: { fontFamily: FONT_FAMILY } })
    return { svg: moved(0, 0, withStableIds(chart.renderToSVGString(), name)), height }
  } finally {
    chart.dispose()
  }
}
