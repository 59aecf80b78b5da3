/** Capture, put together: what takes events in, and what replay and the SDKs' other requests use of it. */
import type { RawCall } from '../../http/raw-routes.ts'
import { type CaptureParts, createCapture } from './capture.ts'
import { type ReadOptions, readCaptureBody } from './read-body.ts'
import type { CaptureRequest } from './request.ts'

/** Bytes of a body as it comes, and after inflating. */
interface BodyLimits {
  event: number
  batch: number
  inflated: number
}

export interface CaptureFeatureParts extends CaptureParts {
  bodyLimits: BodyLimits
}

export function createCaptureFeature({ bodyLimits, ...parts }: CaptureFeatureParts) {
  const capture = createCapture(parts)
  const { projectOf } = capture
  return {
    ...capture,
    bodyLimits,
    /** What a request of another feature holds, however it is wrapped. */
    readBody: async (
      call: RawCall,
      { inflated, depth, ends = null, isReplay = false }: Omit<ReadOptions, 'projectOf' | 'bearer'>,
    ): Promise<CaptureRequest & { text: Buffer }> =>
      readCaptureBody(call, { inflated, depth, projectOf, ends, isReplay }),
  }
}

export type CaptureFeature = ReturnType<typeof createCaptureFeature>
