/**
 * Reads the content of a capture request, whatever its encoding. Small requests are read at once. A large one is read
 * in slices, between which other work runs; the memory it takes is charged to the budget, and an event that is far too
 * large to be stored is not parsed at all.
 */
import type { RawCall } from '../../http/raw-routes.ts'
import { freeBytes } from '../../lib/bytes/free-bytes.ts'
import { AppError, malformed } from '../../lib/errors.ts'
import { type Json, MAX_NODES, parseForeignJson, refuseExcess } from '../../lib/json/json.ts'
import { type Element, type Ends, JsonScanner } from '../../lib/json/json-scanner.ts'
import { parseInSlices, scanInSlices } from '../../lib/json/sliced-json.ts'
import { type EncodedBody, type Unwrapped, unwrapBody } from './decode.ts'
import { type CaptureRequest, isPlainText, MAX_EVENTS, OVERSIZED, readRequest, tooManyEvents } from './request.ts'
import { createTokenWatch, unpackAtOnce, unpackStreamed } from './unpack.ts'

export interface ReadOptions {
  /** Bytes after unpacking. */
  inflated: number
  depth: number
  /** Refuses an unknown token. */
  projectOf: (token: string) => Promise<unknown>
  /** The token of the v1 protocol, which has none in its body. */
  bearer?: string | null
  /** See the notes of JsonScanner. */
  ends?: Ends | null
  /** For recordings: their events are read one by one, and none of them is left out. */
  isReplay?: boolean
}

/** Up to this size a text is read at once. */
const AT_ONCE = 512 * 1024
/**
 * Limits of what is parsed at once in a larger one: an event with room for escapes and white space, an event of a
 * recording.
 */
const MOST_OF_EVENT = 4_000_000
const MOST_NODES_OF_EVENT = 100_000
const MOST_OF_REPLAY = 16_000_000
/** `$snapshot_data` in an item: item, properties, list. */
const REPLAY_DEPTH = 3
/** Memory of small lists and objects once they are parsed (40 to 64 bytes), and of values (8). */
const NODE_BYTES = 64
const VALUE_BYTES = 8
/** What an event takes in addition while it is processed; measured. */
const EVENT_BYTES = 750

/** For an event that is left out because of its size. */
const isOversized = ({ start, end, nodes }: Element): boolean =>
  end - start > MOST_OF_EVENT || nodes > MOST_NODES_OF_EVENT

async function parseLarge(
  { text, scanner, elements }: { text: Buffer; scanner: JsonScanner; elements: Element[] },
  call: RawCall,
  { depth, isReplay = false }: ReadOptions,
): Promise<Json> {
  refuseExcess(await scanInSlices(scanner, text), depth)
  if (elements.length > MAX_EVENTS) throw tooManyEvents()
  call.hold(scanner.nodes * NODE_BYTES + scanner.commas * VALUE_BYTES + elements.length * EVENT_BYTES)
  const mostAtOnce = isReplay ? MOST_OF_REPLAY : MOST_OF_EVENT
  const replace = isReplay ? null : (element: Element) => (isOversized(element) ? OVERSIZED : undefined)
  try {
    return await parseInSlices(text, elements, { mostAtOnce, replace, innerDepth: isReplay ? REPLAY_DEPTH : null })
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw malformed(`failed to parse request: ${(cause as Error).message}`)
  }
}

interface Read {
  text: Buffer
  decoded: Json
}

/** `known`: the text, when it could be had at once. */
async function readLarge(
  call: RawCall,
  unwrapped: Unwrapped,
  known: Buffer | null,
  options: ReadOptions,
): Promise<Read> {
  const { inflated, depth, bearer = null, ends = null, projectOf } = options
  const elements: Element[] = []
  const scanner = new JsonScanner({ depth, nodes: MAX_NODES }, { ends, elements: { depth: 0, found: elements } })
  const checkToken = bearer === null ? projectOf : null
  const { hold } = call
  const text = known ?? (await unpackStreamed(unwrapped, scanner, { inflated, depth, hold, checkToken }))
  try {
    // A text unpacked at once was not scanned while it came.
    if (scanner.at === 0) await createTokenWatch(checkToken)(text)
    return { text, decoded: await parseLarge({ text, scanner, elements }, call, options) }
  } catch (error) {
    // Nothing else reads it, and the collector would let several refused ones wait.
    freeBytes(text)
    throw error
  }
}

const bodyOf = ({ headers, body, query }: RawCall): EncodedBody => ({
  body,
  query,
  contentType: headers['content-type'] ?? '',
  contentEncoding: headers['content-encoding'] ?? '',
})

type ReadRequest = CaptureRequest & { text: Buffer }

function requestOf({ text, decoded }: Read, { query }: RawCall, { bearer = null }: ReadOptions): ReadRequest {
  const { token, sentAt, items, isPlain } = readRequest(decoded, query, { bearer, isPlain: isPlainText(text) })
  // Written out field by field: object spread creates a new hidden class per call, which is slow to build and read.
  return { token, sentAt, items, isPlain, text }
}

function readKnown(call: RawCall, options: ReadOptions): ReadRequest | Promise<ReadRequest> {
  const { depth, ends = null } = options
  const unwrapped = unwrapBody(bodyOf(call))
  // The decoded bytes are held in addition to the received ones.
  if (unwrapped.bytes.buffer !== call.body.buffer) call.hold(unwrapped.bytes.length)
  const known = unpackAtOnce(unwrapped, options.inflated)
  if (known !== null && known !== unwrapped.bytes) call.hold(known.length)
  if (known !== null && known.length <= AT_ONCE) {
    return requestOf({ text: known, decoded: parseForeignJson(known, depth, ends) }, call, options)
  }
  return readLarge(call, unwrapped, known, options).then((read) => requestOf(read, call, options))
}

/** A small request is read without a promise, which would cost as much as the reading. */
export function readCaptureBody(call: RawCall, options: ReadOptions): ReadRequest | Promise<ReadRequest> {
  const { bearer = null, projectOf } = options
  return bearer === null ? readKnown(call, options) : projectOf(bearer).then(() => readKnown(call, options))
}
