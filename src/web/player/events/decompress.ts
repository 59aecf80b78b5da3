/**
 * Decompresses the parts that the SDK compresses inside events (`cv: "2024-10"`): a field is gzip of JSON, one
 * character per byte. Everything else is returned unchanged.
 */
import { FULL_SNAPSHOT, INCREMENTAL, MUTATION, type RecordedEvent, STYLE_SHEET_RULE } from './recorded-event.ts'

const VERSION = '2024-10'
const FIELDS: Record<number, string[]> = {
  [MUTATION]: ['texts', 'attributes', 'removes', 'adds'],
  [STYLE_SHEET_RULE]: ['adds', 'removes'],
}
/** Most mutations leave three of four fields empty, so these short texts are cached. */
const SHORT = 64
const short = new Map<string, string>()

async function gunzip(packed: string): Promise<string> {
  const bytes = Uint8Array.from(packed, (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).text()
}

async function unpack(packed: unknown): Promise<unknown> {
  if (typeof packed !== 'string') return packed
  const known = short.get(packed)
  if (known !== undefined) return JSON.parse(known)
  const text = await gunzip(packed)
  if (packed.length <= SHORT && short.size < 1_000) short.set(packed, text)
  return JSON.parse(text)
}

export async function decompressEvent(event: RecordedEvent): Promise<RecordedEvent> {
  if (event.cv !== VERSION) return event
  if (event.type === FULL_SNAPSHOT) return { ...event, data: await unpack(event.data) }
  const fields = event.type === INCREMENTAL ? FIELDS[event.data?.source as number] : undefined
  if (!fields) return event
  const entries = fields.map(async (name) => [name, await unpack(event.data[name])] as const)
  const present = (await Promise.all(entries)).filter(([, value]) => value !== undefined)
  return { ...event, data: { ...event.data, ...Object.fromEntries(present) } }
}
