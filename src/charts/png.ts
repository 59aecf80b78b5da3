/**
 * An SVG of ours as a PNG. The letters come from the TrueType files of a package: with the fonts of the machine the
 * same report would look different from server to server, and on one without fonts have no words at all.
 */
import { createRequire } from 'node:module'
import { limitConcurrency } from '../lib/concurrency/concurrency-limit.ts'
import { pngFile } from './png-encoder.ts'

/** Pixels for each pixel of the page: screens of phones have two or more. */
const SCALE = 2
/** A large dashboard is some tens of megabytes while it is drawn. */
const AT_ONCE = 2

const oneOf = limitConcurrency(AT_ONCE)

const require = createRequire(import.meta.url)

/** Drawn beside the event loop, a few at once; the others wait. */
export const toPng = (svg: string): Promise<Buffer> =>
  oneOf(async () => {
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
