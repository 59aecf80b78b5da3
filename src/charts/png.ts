/**
 * Renders our SVG as a PNG. The glyphs come from the TrueType files of a package: with the machine's fonts the
 * same report would look different on each server, and without fonts it would have no text at all.
 */
import { createRequire } from 'node:module'
import { limitConcurrency } from '../lib/concurrency/concurrency-limit.ts'
import { pngFile } from './png-encoder.ts'

/** Device pixels per CSS pixel: phone screens have two or more. */
const SCALE = 2
/** A large dashboard takes some tens of megabytes while it is drawn. */
const AT_ONCE = 2

const limited = limitConcurrency(AT_ONCE)

const require = createRequire(import.meta.url)

/** Rendered in the thread pool, a few at once; the others wait. */
export const toPng = (svg: string): Promise<Buffer> =>
  limited(async () => {
    // Loaded when first needed, as echarts is.
    const { renderAsync } = await import('@resvg/resvg-js')
    const image = await renderAsync(svg, {
      font: {
        loadSystemFonts: false,
        fontFiles: [
          require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
          require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
        ],
        defaultFontFamily: 'DejaVu Sans',
        sansSerifFamily: 'DejaVu Sans',
      },
      fitTo: { mode: 'zoom', value: SCALE },
      logLevel: 'off',
    })
    const { width, height, pixels } = image
    return pngFile({ width, height, pixels })
  })
