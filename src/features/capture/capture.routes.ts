/**
 * Where the SDKs send events. Success is exactly 200 with a JSON body; on anything else they drop or resend the events.
 */
import { bearerKey } from '../../http/access/auth.ts'
import { answerError } from '../../http/output/error-body.ts'
import type { RawAnswer, RawCall, RawRoute } from '../../http/raw-routes.ts'
import { AppError, invalid, tooLarge } from '../../lib/errors.ts'
import type { CaptureFeature } from './capture.feature.ts'
import type { Accepted, Protocol } from './capture.ts'
import type { DropReason } from './pipeline.ts'
import { type ReadOptions, readCaptureBody } from './read-body.ts'
import { type CaptureRequest, OVERSIZED } from './request.ts'

const MAX_DEPTH = 100

/** What the SDKs print for a request without any valid event. */
const SENTENCES: Record<DropReason, string> = {
  invalid_event: 'failed to parse request: expected an event object',
  missing_event_name: 'event submitted with an empty event name',
  invalid_uuid: 'failed to parse request: invalid uuid',
  event_too_large: 'maximum event size exceeded',
  missing_distinct_id: 'event submitted without a distinct_id',
  personless_merge: 'event needs a person profile but asks for none',
  event_name_too_long: 'event submitted with an event name that is too long',
  distinct_id_too_long: 'event submitted with a distinct_id that is too long',
  illegal_distinct_id: 'event submitted with a distinct_id that stands for nobody',
}

const json = (status: number, body: unknown): RawAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

const OK = json(200, { status: 'Ok' })

function answer({ stored, drops }: Accepted, beacon: boolean): RawAnswer {
  const [first] = drops
  if (stored.length === 0 && first) {
    // posthog-node halves a batch that is too large, and drops an invalid one.
    if (first.reason === 'event_too_large') throw tooLarge(SENTENCES[first.reason])
    throw invalid(SENTENCES[first.reason])
  }
  if (beacon) return { status: 204, contentType: '', body: null }
  if (drops.length === 0) return OK
  return json(200, { status: 'Ok', dropped: drops.map(({ index, reason }) => ({ index, reason })) })
}

/** The v1 protocol reports the result of each event by its uuid. */
function answerV1(request: CaptureRequest, { stored, drops }: Accepted): RawAnswer {
  const uuidOf = (index: number) => String((request.items[index] as { uuid?: unknown } | null)?.uuid ?? index)
  const results = [
    ...stored.map((event) => [event.uuid, { result: event.warnings.length > 0 ? 'warning' : 'ok' }]),
    ...drops.map((drop) => [uuidOf(drop.index), { result: 'drop', details: drop.reason }]),
  ]
  return json(200, { results: Object.fromEntries(results) })
}

/** v1 has a few options next to the properties; they mean the same as the properties they become. */
function fromV1(item: unknown): unknown {
  const event = item as {
    options?: Record<string, unknown>
    properties?: object
    session_id?: string
    window_id?: string
  }
  if (typeof event !== 'object' || event === null || item === OVERSIZED) return item
  const { options, session_id, window_id } = event
  const asProperties = {
    ...(options?.process_person_profile === undefined
      ? {}
      : { $process_person_profile: options.process_person_profile }),
    ...(options?.disable_skew_correction === true ? { $ignore_sent_at: true } : {}),
    ...(session_id === undefined ? {} : { $session_id: session_id }),
    ...(window_id === undefined ? {} : { $window_id: window_id }),
  }
  return { ...event, properties: { ...event.properties, ...asProperties } }
}

const optionsOf = ({ projectOf, bodyLimits }: CaptureFeature): ReadOptions => ({
  inflated: bodyLimits.inflated,
  depth: MAX_DEPTH,
  projectOf,
})

async function acceptV1(capture: CaptureFeature, call: RawCall): Promise<RawAnswer> {
  const bearer = bearerKey(call.headers.authorization)
  if (bearer === null) throw new AppError('unauthenticated', 'invalid_token', 'event submitted without an api_key')
  const request = await readCaptureBody(call, { ...optionsOf(capture), bearer })
  const items = request.items.map(fromV1)
  return answerV1(request, await capture.accept({ ...request, items }, { isStrict: true }, call))
}

/** v1 reports an error of the whole request as JSON. */
function refuseV1(error: unknown): RawAnswer {
  const { status, headers, body, unexpected, reason } = answerError(error, undefined)
  if (unexpected) throw error
  const { 'www-authenticate': _, ...kept } = headers
  return { ...json(status, { error: body.code, error_description: body.detail, error_uri: '' }), headers: kept, reason }
}

export function captureRoutes(capture: CaptureFeature): RawRoute[] {
  const { bodyLimits } = capture
  const options = optionsOf(capture)
  const accept = (protocol: Protocol) => async (call: RawCall) => {
    const reading = readCaptureBody(call, options)
    const request = reading instanceof Promise ? await reading : reading
    return answer(await capture.accept(request, protocol, call), call.query.beacon === '1')
  }
  const both = ['GET', 'POST'] as RawRoute['methods']
  return [
    {
      paths: ['/e/', '/i/v0/e/', '/capture/', '/track/'],
      methods: both,
      bodyLimit: bodyLimits.event,
      summary: 'Take events',
      handler: accept({}),
    },
    { paths: ['/batch/'], methods: both, bodyLimit: bodyLimits.batch, summary: 'Take a batch', handler: accept({}) },
    {
      paths: ['/engage/'],
      methods: both,
      bodyLimit: bodyLimits.event,
      summary: 'Take changes to people',
      handler: accept({ defaultName: '$identify' }),
    },
    {
      paths: ['/i/v1/analytics/events'],
      methods: ['POST'],
      bodyLimit: bodyLimits.batch,
      summary: 'Take events, protocol v1',
      handler: (call) => acceptV1(capture, call).catch(refuseV1),
    },
  ]
}
